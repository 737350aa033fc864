-- Tokens with which programs ask in a user's name, by the SHA-256 of their secret.
CREATE TABLE api_tokens (
    id      TEXT    PRIMARY KEY NOT NULL,
    hash    BLOB    NOT NULL UNIQUE,
    user    TEXT    NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    name    TEXT    NOT NULL,
    -- The most that it is good for; the user's role counts too.
    role    TEXT    NOT NULL,
    created INTEGER NOT NULL,
    expires INTEGER NOT NULL,
    seen    INTEGER
) STRICT, WITHOUT ROWID;

CREATE INDEX api_tokens_of_user ON api_tokens (user);
