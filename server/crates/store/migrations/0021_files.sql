-- Files that people attach to messages and that tools bring: each person's by themselves, under the
-- SHA-256 of their content.
CREATE TABLE files (
    key     INTEGER PRIMARY KEY,
    owner   TEXT    NOT NULL,
    id      TEXT    NOT NULL,
    kind    TEXT    NOT NULL,
    size    INTEGER NOT NULL,
    -- When it came or was last held. What nothing uses goes a day after that.
    at      INTEGER NOT NULL,
    content BLOB    NOT NULL,
    UNIQUE (owner, id)
) STRICT;

CREATE INDEX files_by_age ON files (at);

-- The conversations whose events name a file.
CREATE TABLE file_uses (
    file         TEXT    NOT NULL,
    conversation INTEGER NOT NULL REFERENCES conversations (key) ON DELETE CASCADE,
    PRIMARY KEY (file, conversation)
) STRICT, WITHOUT ROWID;

CREATE INDEX file_uses_of ON file_uses (conversation);
