-- What the person wrote of files in the library, by their ids: files themselves are found anew at every look.
create table library_edits (
    file text primary key,
    display_name text not null
) strict, without rowid;

pragma user_version = 4;
