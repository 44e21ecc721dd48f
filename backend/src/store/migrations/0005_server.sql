-- API keys of the local server. Of the keys themselves only hashes (SHA-256) are kept.
create table api_keys (
    id integer primary key autoincrement,
    name text not null,
    begins text not null,
    hash blob not null unique,
    made_at integer not null,
    used_at integer
) strict;

-- Answers of the server's Responses interface, which later requests go on from by their ids.
create table responses (
    id text primary key,
    previous text,
    -- Milliseconds since 1970, UTC.
    created_at integer not null,
    -- What was asked and what was answered, as JSON of the interface.
    input text not null,
    output text not null
) strict;

create index responses_by_age on responses (created_at);

pragma user_version = 5;
