-- Alerts are in the trail of the drawings from now on: each write of one brings its row. Of those that are
-- there it gets that they were set; who withdrew one, or when it fired before the last time, nobody has kept.
INSERT INTO market_trail (owner, drawing, version, time, symbol, kind, actor, body)
SELECT
    'everyone', id, 1, body ->> '$.created_at', body ->> '$.symbol', 'alert', body ->> '$.actor',
    json_object(
        'person', body ->> '$.person',
        'reason', CASE body ->> '$.note' WHEN '' THEN 'set' ELSE 'set: ' || (body ->> '$.note') END,
        'changes', json_array(json_object(
            'field', 'condition',
            'from', NULL,
            'to', json_patch(
                json_remove(body -> '$.subject', '$.kind'),
                json_object('direction', body ->> '$.crossing', 'repeats', body -> '$.repeats')
            )
        )),
        'call', body ->> '$.call', 'conversation', body ->> '$.conversation'
    )
FROM market_alerts;
