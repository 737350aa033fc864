-- Questions to people. One row a call: the newest question about it.
CREATE TABLE confirmations (
    call         TEXT    PRIMARY KEY NOT NULL,
    conversation INTEGER NOT NULL REFERENCES conversations (key) ON DELETE CASCADE,
    digest       TEXT    NOT NULL,
    sentence     TEXT    NOT NULL,
    expires      INTEGER NOT NULL,
    -- waiting, approved, or closed.
    state        TEXT    NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX confirmations_waiting ON confirmations (conversation, expires) WHERE state = 'waiting';

-- The calls of a conversation that wait, as JSON: a fold over the rows above.
ALTER TABLE conversations ADD COLUMN waiting TEXT NOT NULL DEFAULT '[]';
