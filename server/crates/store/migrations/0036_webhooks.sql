-- Endpoints of webhooks, by the names that the configuration gives them. One that is no longer configured goes,
-- and its messages with it.
CREATE TABLE webhook_endpoints (
    name         TEXT    PRIMARY KEY NOT NULL,
    -- The newest event of a conversation and of the system journal when it was added: messages are about
    -- later ones.
    since_event  INTEGER NOT NULL,
    since_system INTEGER NOT NULL,
    -- The first failure since the last delivery.
    failing      INTEGER,
    -- Set while nothing is sent to it, nor queued.
    disabled     INTEGER
) STRICT, WITHOUT ROWID;

-- Messages that are not delivered yet. A row goes with its delivery, or when it is given up.
CREATE TABLE webhook_deliveries (
    key      INTEGER PRIMARY KEY,
    endpoint TEXT    NOT NULL REFERENCES webhook_endpoints (name) ON DELETE CASCADE,
    -- The message's id, the same on each attempt.
    message  TEXT    NOT NULL,
    body     TEXT    NOT NULL,
    -- Attempts that failed.
    failed   INTEGER NOT NULL,
    due      INTEGER NOT NULL,
    UNIQUE (endpoint, message)
) STRICT;

CREATE INDEX webhook_deliveries_by_due ON webhook_deliveries (endpoint, due);

-- The newest event of a conversation and of the system journal that were made into messages. One row.
CREATE TABLE webhook_fold (
    event  INTEGER NOT NULL,
    system INTEGER NOT NULL
) STRICT;

INSERT INTO webhook_fold (event, system) VALUES (0, 0);
