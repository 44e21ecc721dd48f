-- Chats as trees of messages, and settings.
-- Times are milliseconds since 1970-01-01 UTC. Columns that hold JSON say so.

create table folders (
    id integer primary key autoincrement,
    name text not null
) strict;

-- One row for each delete that can still be undone. What it hides points here and is removed for good together
-- with this row. Numbers are never used twice, so that an old undo cannot hit another delete.
create table deletions (
    id integer primary key autoincrement,
    deleted_at integer not null
) strict;

create table chats (
    id integer primary key autoincrement,
    title text not null,
    title_by_person integer not null default 0,
    system_prompt text,
    pinned integer not null default 0,
    folder_id integer references folders (id) on delete set null,
    deletion_id integer references deletions (id),
    created_at integer not null,
    updated_at integer not null
) strict;

-- Every version of every message. Messages with the same parent are versions of each other; of these the one with
-- the highest choice is shown.
-- No cascade along parent_id: SQLite ends a cascade at a depth of 1000, and chats grow longer than that.
create table messages (
    id integer primary key autoincrement,
    chat_id integer not null references chats (id) on delete cascade,
    parent_id integer references messages (id),
    choice integer not null,
    role text not null,
    text text not null,
    reasoning text,
    tool_calls text, -- JSON
    model_name text,
    model_file text,
    stop text, -- JSON
    stats text, -- JSON
    deletion_id integer references deletions (id),
    created_at integer not null
) strict;

create index messages_by_place on messages (chat_id, parent_id);
create index messages_by_parent on messages (parent_id);
create index messages_by_deletion on messages (deletion_id) where deletion_id is not null;

create table settings (
    key text primary key,
    value text not null -- JSON
) strict;

pragma user_version = 1;
