-- What each person's conversations have used on each day, counted from 1970 in UTC. It is a fold over
-- the events, kept in the same transaction, and stays when a conversation is deleted.
CREATE TABLE spending (
    owner       TEXT    NOT NULL,
    day         INTEGER NOT NULL,
    input       INTEGER NOT NULL,
    output      INTEGER NOT NULL,
    cache_read  INTEGER NOT NULL,
    cache_write INTEGER NOT NULL,
    -- Of the calls whose price is known, and the tokens of the others.
    cost        INTEGER NOT NULL,
    unpriced    INTEGER NOT NULL,
    -- The person was told that most of the budget is used.
    told        INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (owner, day)
) STRICT, WITHOUT ROWID;

INSERT INTO spending (owner, day, input, output, cache_read, cache_write, cost, unpriced)
SELECT owner, day, sum(input), sum(output), sum(cache_read), sum(cache_write),
    sum(coalesce(cost, 0)),
    sum(CASE WHEN cost IS NULL THEN input + output + cache_read + cache_write ELSE 0 END)
FROM (
    SELECT conversations.owner AS owner,
        events.at / 86400000 AS day,
        coalesce(json_extract(events.body, '$.usage.input'), 0) AS input,
        coalesce(json_extract(events.body, '$.usage.output'), 0) AS output,
        coalesce(json_extract(events.body, '$.usage.cache_read'), 0) AS cache_read,
        coalesce(json_extract(events.body, '$.usage.cache_write'), 0) AS cache_write,
        json_extract(events.body, '$.cost') AS cost
    FROM events JOIN conversations ON conversations.key = events.conversation
    WHERE conversations.imported IS NULL
        AND json_extract(events.body, '$.type') = 'assistant_message')
GROUP BY owner, day;
