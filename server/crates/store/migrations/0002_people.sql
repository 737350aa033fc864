CREATE TABLE users (
    id      TEXT    PRIMARY KEY NOT NULL,
    name    TEXT    NOT NULL,
    created INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- One-time links, by the SHA-256 of their token.
CREATE TABLE sign_in_links (
    hash    BLOB    PRIMARY KEY NOT NULL,
    user    TEXT    NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    created INTEGER NOT NULL,
    expires INTEGER NOT NULL,
    used    INTEGER
) STRICT, WITHOUT ROWID;

-- Sessions, by the SHA-256 of their cookie.
CREATE TABLE sessions (
    hash    BLOB    PRIMARY KEY NOT NULL,
    user    TEXT    NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    created INTEGER NOT NULL,
    seen    INTEGER NOT NULL,
    expires INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
