-- Alerts on charts. `body` is all of it; what is beside it is there to find and to compare. One that is
-- over stays on record.
CREATE TABLE market_alerts (
    id      TEXT    NOT NULL PRIMARY KEY,
    version INTEGER NOT NULL,
    waits   INTEGER NOT NULL,
    since   INTEGER NOT NULL,
    body    TEXT    NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX market_alerts_that_wait ON market_alerts (waits, since);

-- Whatever writes to it: versions go up one by one, so that nothing happens twice.
CREATE TRIGGER market_alerts_go_up BEFORE UPDATE ON market_alerts
WHEN new.version <> old.version + 1
BEGIN
    SELECT raise(ABORT, 'an alert goes up one version at a time');
END;
