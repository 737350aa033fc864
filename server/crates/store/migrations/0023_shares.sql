-- Links under which people who are signed in read a conversation of another: the SHA-256 of what
-- stands in the link, which itself is kept nowhere.
CREATE TABLE shares (
    hash         BLOB    PRIMARY KEY,
    conversation INTEGER NOT NULL REFERENCES conversations (key) ON DELETE CASCADE,
    owner        TEXT    NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    made         INTEGER NOT NULL,
    -- None while it does not end by itself.
    expires      INTEGER
) STRICT, WITHOUT ROWID;

CREATE INDEX shares_of ON shares (conversation);
