-- Candles of five minutes to an hour, as the minutes in `candles` give them: written with the minutes. A
-- candle in `candles` with the same key counts in place of one here.
CREATE TABLE market_derived_candles (
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

-- Symbols with minutes of earlier releases: nothing is derived yet from those before an instant, which is
-- on the hour and goes back step by step. A row goes once everything is derived.
CREATE TABLE market_underived (
    symbol INTEGER NOT NULL PRIMARY KEY,
    before INTEGER NOT NULL
) STRICT;

-- From symbol to symbol by the key: a scan of all minutes would hold up the start.
WITH RECURSIVE listed (symbol) AS (
    SELECT min(symbol) FROM candles
    UNION ALL
    SELECT (SELECT min(candles.symbol) FROM candles WHERE candles.symbol > listed.symbol)
    FROM listed
    WHERE listed.symbol IS NOT NULL
), newest (symbol, time) AS (
    SELECT
        symbol,
        (SELECT max(time) FROM candles WHERE candles.symbol = listed.symbol AND frame = 1)
    FROM listed
    WHERE symbol IS NOT NULL
)
INSERT INTO market_underived (symbol, before)
SELECT symbol, time / 3600 * 3600 + 3600
FROM newest
WHERE time IS NOT NULL;
