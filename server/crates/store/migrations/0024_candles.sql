-- Prices: whole points, by the number of the symbol, the minutes of the timeframe and the second of
-- the opening. What was asked for most, the newest of one symbol, lies together.
CREATE TABLE candles (
    symbol INTEGER NOT NULL,
    frame  INTEGER NOT NULL,
    time   INTEGER NOT NULL,
    open   INTEGER NOT NULL,
    high   INTEGER NOT NULL,
    low    INTEGER NOT NULL,
    close  INTEGER NOT NULL,
    volume INTEGER NOT NULL,
    PRIMARY KEY (symbol, frame, time)
) STRICT, WITHOUT ROWID;

-- Events of the calendar, headlines, reports on positions, trades: what is in them, the toolset knows.
CREATE TABLE market_records (
    kind  TEXT    NOT NULL,
    id    TEXT    NOT NULL,
    about TEXT    NOT NULL,
    time  INTEGER NOT NULL,
    body  TEXT    NOT NULL,
    PRIMARY KEY (kind, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX market_records_by_time ON market_records (kind, time);
CREATE INDEX market_records_by_subject ON market_records (kind, about, time);
