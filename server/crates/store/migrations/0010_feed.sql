-- One stream of what happened: a fold over the audit chain, and what other sources tell. Unlike the
-- chain it is forgotten after a while.
CREATE TABLE feed (
    -- Sorts as time does: milliseconds * 2^20 + what tells apart those of one millisecond.
    id           INTEGER PRIMARY KEY,
    -- Rises with every new row and every change of one.
    rev          INTEGER NOT NULL,
    at           INTEGER NOT NULL,
    -- What tells of the same thing has the same key.
    key          TEXT    NOT NULL UNIQUE,
    kind         TEXT    NOT NULL,
    tone         TEXT    NOT NULL,
    line         TEXT    NOT NULL,
    outcome      TEXT,
    tier         TEXT,
    target       TEXT,
    person       TEXT,
    source       TEXT,
    -- Whose conversation it is, or who it is about.
    owner        TEXT,
    conversation TEXT,
    call         TEXT,
    subject      TEXT,
    ended        INTEGER,
    -- A JSON object.
    details      TEXT
) STRICT;

CREATE UNIQUE INDEX feed_of_rev ON feed (rev);

-- What is looked for, by the rows' ids; kind and tier as words of their own among the marks.
CREATE VIRTUAL TABLE feed_text USING fts5 (
    line, outcome, target, person, more, marks,
    content = '', contentless_delete = 1, prefix = '2 3',
    tokenize = "unicode61 remove_diacritics 2"
);

-- The newest row of the audit chain that is in the feed. One row.
CREATE TABLE feed_fold (
    audit INTEGER NOT NULL
) STRICT;

INSERT INTO feed_fold (audit) VALUES (0);
