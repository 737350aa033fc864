-- Messages that a person keeps, by the name that brings them back.
CREATE TABLE prompts (
    user    TEXT    NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    name    TEXT    NOT NULL,
    text    TEXT    NOT NULL,
    changed INTEGER NOT NULL,
    PRIMARY KEY (user, name)
) STRICT, WITHOUT ROWID;
