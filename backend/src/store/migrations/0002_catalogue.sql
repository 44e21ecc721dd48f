-- The catalogue: models that can be had, their files, and what the person wrote of them. It is made anew from what Hearth
-- brings and what the hub says; only catalogue_edits is the person's.

-- shown_name, favourite and hidden are what the edits make of them: they stand here too for order and filters.
create table catalogue_models (
    id integer primary key,
    model text not null collate nocase unique, -- author/name, in whatever case
    place integer not null, -- the curated ones from 0 in Hearth's order; all others share one number after them
    curated integer not null, -- whether it came with Hearth
    name text not null, -- the catalogue's
    shown_name text not null, -- the person's, else the catalogue's
    author text not null,
    summary text,
    licence text,
    parameters integer,
    active_parameters integer,
    context_length integer,
    capabilities integer not null, -- a bit each, in the order of the protocol
    languages text not null, -- codes with a space before and after each, such as " de en "
    released_on text, -- YYYY-MM-DD
    download_size integer, -- bytes of the file that is usually taken
    least_memory integer, -- bytes that its smallest file takes in memory with a context of 8,192 tokens, about
    usual_file text, -- name of the file that is usually taken
    downloads integer,
    likes integer,
    gated integer not null default 0,
    favourite integer not null default 0,
    hidden integer not null default 0,
    card text not null, -- JSON
    fetched_at integer -- null for what came with Hearth
) strict;

create index catalogue_models_by_place on catalogue_models (place, downloads desc, id);
create index catalogue_models_by_name on catalogue_models (shown_name collate nocase, id);
create index catalogue_models_by_parameters on catalogue_models (parameters desc, id);
create index catalogue_models_by_release on catalogue_models (released_on desc, id);
create index catalogue_models_by_downloads on catalogue_models (downloads desc, id);
create index catalogue_models_by_likes on catalogue_models (likes desc, id);
create index catalogue_models_by_favourite on catalogue_models (favourite desc, place, downloads desc, id);

create table catalogue_files (
    id integer primary key,
    model_id integer not null references catalogue_models (id) on delete cascade,
    repository text not null,
    revision text,
    name text not null, -- path in the repository; of several parts the first one's
    role text not null, -- model, projector or draft
    size integer, -- bytes
    sha256 text,
    quantisation text,
    parts text, -- JSON, where it is several files
    missing_parts text -- JSON, where some of them are not there
) strict;

create index catalogue_files_by_model on catalogue_files (model_id);

-- Named by author/name, not by number, so that they outlive every change of the catalogue.
create table catalogue_edits (
    model text primary key collate nocase,
    display_name text,
    notes text not null,
    tags text not null, -- JSON
    favourite integer not null,
    hidden integer not null
) strict;

-- The rowid is the model's id. One-, two- and three-letter beginnings of words have lists of their own, which searching
-- as one types needs.
create virtual table catalogue_search using fts5 (
    name,
    author,
    summary,
    tags,
    repositories,
    quantisations,
    prefix = '1 2 3',
    tokenize = 'unicode61 remove_diacritics 2'
);

pragma user_version = 2;
