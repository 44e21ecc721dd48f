-- What the hub says: figures of its models, what it answered to searches, and what the headers of its files say. All of it
-- can be asked for again.

alter table catalogue_models add column trending_score real; -- the hub's own figure
alter table catalogue_models add column updated_at integer; -- last change on the hub
alter table catalogue_models add column detailed_at integer; -- when the hub told its files with their sizes

create index catalogue_models_by_trending on catalogue_models (trending_score desc, id);
create index catalogue_models_by_update on catalogue_models (updated_at desc, id);
create index catalogue_models_by_fetch on catalogue_models (curated, fetched_at desc, id);

-- The repositories of the models that came with Hearth, their own names too. What the hub finds under these names is that
-- model and no other row; its figures are the greatest of all its repositories.
create table catalogue_repositories (
    repository text primary key collate nocase, -- author/name
    model_id integer not null references catalogue_models (id) on delete cascade,
    downloads integer,
    likes integer,
    trending_score real,
    updated_at integer,
    gated integer -- null until the hub has said
) strict;

create index catalogue_repositories_by_model on catalogue_repositories (model_id);

-- What the hub answered, page by page.
create table catalogue_searches (
    question text primary key, -- JSON: the query, the hub it was put to, and what fits this machine
    asked_at integer not null,
    listing text not null -- JSON
) strict;

create index catalogue_searches_by_time on catalogue_searches (asked_at desc);

-- What the headers of files on the hub say.
create table catalogue_headers (
    file text primary key, -- sha256:HASH, else REPOSITORY@COMMIT/NAME
    read_at integer not null,
    facts text, -- JSON; null where the header is damaged
    problem text -- what is wrong with it, in words
) strict;

create index catalogue_headers_by_time on catalogue_headers (read_at desc);

pragma user_version = 3;
