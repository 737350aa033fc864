-- Identifiers are prefixed texts, times are milliseconds since 1970 UTC, costs millionths of a USD.

CREATE TABLE conversations (
    key         INTEGER PRIMARY KEY,
    id          TEXT    NOT NULL UNIQUE,
    owner       TEXT    NOT NULL,
    mode        TEXT    NOT NULL,
    model       TEXT    NOT NULL,
    title       TEXT    NOT NULL,
    created     INTEGER NOT NULL,
    updated     INTEGER NOT NULL,
    -- The newest event and who may write the next one.
    head        INTEGER NOT NULL,
    epoch       INTEGER NOT NULL,
    -- What follows is a fold over the events, kept in the same transaction.
    messages    INTEGER NOT NULL,
    input       INTEGER NOT NULL,
    output      INTEGER NOT NULL,
    cache_read  INTEGER NOT NULL,
    cache_write INTEGER NOT NULL,
    cost        INTEGER,
    running     INTEGER NOT NULL
) STRICT;

CREATE INDEX conversations_of_owner ON conversations (owner, updated DESC);
CREATE INDEX conversations_running ON conversations (running) WHERE running = 1;

CREATE TABLE events (
    key          INTEGER PRIMARY KEY,
    conversation INTEGER NOT NULL REFERENCES conversations (key) ON DELETE CASCADE,
    seq          INTEGER NOT NULL,
    at           INTEGER NOT NULL,
    body         TEXT    NOT NULL,
    -- What goes back to the model, byte for byte.
    raw          TEXT,
    UNIQUE (conversation, seq)
) STRICT;

CREATE TABLE queued_messages (
    conversation INTEGER NOT NULL REFERENCES conversations (key) ON DELETE CASCADE,
    message      TEXT    NOT NULL,
    PRIMARY KEY (conversation, message)
) STRICT, WITHOUT ROWID;

-- Commands that were carried out. Kept when their conversation is deleted: a command that is sent
-- again must not bring it back.
CREATE TABLE commands (
    user TEXT    NOT NULL,
    id   TEXT    NOT NULL,
    at   INTEGER NOT NULL,
    PRIMARY KEY (user, id)
) STRICT, WITHOUT ROWID;

-- What belongs to no conversation.
CREATE TABLE system_events (
    seq  INTEGER PRIMARY KEY,
    at   INTEGER NOT NULL,
    body TEXT    NOT NULL
) STRICT;
