-- Conditions that people were told of. What is here may change; what was told, acknowledged and ended
-- stands in the system journal as well.
CREATE TABLE notices (
    id              TEXT    PRIMARY KEY NOT NULL,
    -- The toolset whose system it is about.
    system          TEXT    NOT NULL,
    -- The same condition of the same thing has the same key.
    key             TEXT    NOT NULL,
    kind            TEXT    NOT NULL,
    grave           INTEGER NOT NULL,
    about           TEXT    NOT NULL,
    text            TEXT    NOT NULL,
    since           INTEGER NOT NULL,
    seen            INTEGER NOT NULL,
    acknowledged    INTEGER,
    acknowledged_by TEXT,
    ended           INTEGER
) STRICT, WITHOUT ROWID;

-- A condition is told once.
CREATE UNIQUE INDEX notices_are_told_once ON notices (system, key) WHERE ended IS NULL;
CREATE INDEX notices_by_end ON notices (ended);
