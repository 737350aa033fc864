-- Drawings on charts. `body` is all of it, with its changes; what is beside it is there to find and
-- to compare. One that was removed stays, so that it can be brought back.
CREATE TABLE drawings (
    owner   TEXT    NOT NULL,
    id      TEXT    NOT NULL,
    symbol  INTEGER NOT NULL,
    version INTEGER NOT NULL,
    removed INTEGER NOT NULL,
    body    TEXT    NOT NULL,
    PRIMARY KEY (owner, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX drawings_of_symbol ON drawings (owner, symbol, removed);

-- Whatever writes to it: versions go up one by one, and nothing is lost.
CREATE TRIGGER drawings_go_up BEFORE UPDATE ON drawings
WHEN new.version <> old.version + 1
BEGIN
    SELECT raise(ABORT, 'a drawing goes up one version at a time');
END;
