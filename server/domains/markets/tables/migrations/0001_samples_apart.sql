-- Rows that came with Jarvis say so in their body. They are left out of everything once a real row of
-- their kind exists, so that has to be found without reading the bodies.
ALTER TABLE market_records
    ADD COLUMN sample INTEGER GENERATED ALWAYS AS (coalesce(body ->> '$.synthetic', 0)) VIRTUAL;

CREATE INDEX market_records_by_origin ON market_records (kind, sample);

-- What has to survive a restart, such as the progress of the simulated market; each a text by name.
CREATE TABLE market_state (
    name  TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
