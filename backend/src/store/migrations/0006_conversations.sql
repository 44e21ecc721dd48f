-- What is kept with a chat beside its messages, files beside messages, presets, and the search over all of it.

alter table chats add column options text; -- JSON, without the instructions
alter table chats add column draft text not null default '';
alter table chats add column place text; -- JSON
-- Whether a model has been asked for a title; the chats there are keep theirs.
alter table chats add column titled integer not null default 0;
-- Of a chat that was imported: the SHA-256 of what the file said of it.
alter table chats add column import_hash text;
update chats set titled = 1;

create index chats_by_import on chats (import_hash) where import_hash is not null;
create index chats_by_folder on chats (folder_id) where folder_id is not null;

alter table messages add column attachments text; -- JSON
-- Whether message_search has its text as it is now.
alter table messages add column indexed integer not null default 0;

create index messages_unindexed on messages (id) where indexed = 0;

-- The rowid is the message's id. The text is broken into words beforehand, each in lower case and without accents, and
-- each character of a script that puts no spaces between words is a word of its own; ASCII's tokeniser takes the rest as
-- it is. One- to three-letter beginnings of words have lists of their own, which searching as one types needs.
create virtual table message_search using fts5 (
    words,
    prefix = '1 2 3',
    tokenize = 'ascii'
);

create trigger messages_unsearched after delete on messages begin
    delete from message_search where rowid = old.id;
end;

-- Drafts of chats that are not begun stand among the settings.
create table presets (
    name text primary key,
    options text not null -- JSON
) strict, without rowid;

pragma user_version = 6;
