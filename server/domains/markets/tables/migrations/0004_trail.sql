-- Every change of every drawing, a row each: read in parts by time, and kept whole, while the record of a
-- drawing has its newest changes alone. Version 1 is the drawing itself. Triggers write it with the
-- drawing, so that no way of writing one can leave it out.
CREATE TABLE market_trail (
    owner   TEXT    NOT NULL,
    drawing TEXT    NOT NULL,
    version INTEGER NOT NULL,
    time    TEXT    NOT NULL,
    symbol  TEXT    NOT NULL,
    kind    TEXT    NOT NULL,
    actor   TEXT    NOT NULL,
    body    TEXT    NOT NULL,
    PRIMARY KEY (owner, drawing, version)
) STRICT, WITHOUT ROWID;

CREATE INDEX market_trail_by_time ON market_trail (time, drawing, version, owner);

-- The drawings of earlier releases, with the changes that they still have.
INSERT INTO market_trail (owner, drawing, version, time, symbol, kind, actor, body)
SELECT
    owner, id, 1, body ->> '$.created_at', body ->> '$.symbol',
    body ->> '$.content.shape.kind', body ->> '$.actor',
    json_object(
        'person', body ->> '$.person', 'reason', body ->> '$.reason', 'call', body ->> '$.call',
        'group', body ->> '$.group', 'conversation', body ->> '$.conversation',
        'message', body ->> '$.message'
    )
FROM drawings;

-- Changes that an earlier release has dropped: their number, before those that are left.
INSERT INTO market_trail (owner, drawing, version, time, symbol, kind, actor, body)
SELECT
    owner, id, 2, body ->> '$.created_at', body ->> '$.symbol',
    body ->> '$.content.shape.kind', body ->> '$.actor',
    json_object('dropped', body -> '$.dropped')
FROM drawings
WHERE body ->> '$.dropped' > 0;

INSERT INTO market_trail (owner, drawing, version, time, symbol, kind, actor, body)
SELECT
    drawings.owner, drawings.id,
    drawings.version - json_array_length(drawings.body, '$.changes') + change.key + 1,
    change.value ->> '$.time', drawings.body ->> '$.symbol',
    drawings.body ->> '$.content.shape.kind', change.value ->> '$.actor', change.value
FROM drawings, json_each(drawings.body, '$.changes') AS change;

CREATE TRIGGER drawings_are_told AFTER INSERT ON drawings
BEGIN
    INSERT INTO market_trail (owner, drawing, version, time, symbol, kind, actor, body)
    VALUES (
        new.owner, new.id, 1, new.body ->> '$.created_at', new.body ->> '$.symbol',
        new.body ->> '$.content.shape.kind', new.body ->> '$.actor',
        json_object(
            'person', new.body ->> '$.person', 'reason', new.body ->> '$.reason',
            'call', new.body ->> '$.call', 'group', new.body ->> '$.group',
            'conversation', new.body ->> '$.conversation', 'message', new.body ->> '$.message'
        )
    );
END;

CREATE TRIGGER changes_of_drawings_are_told AFTER UPDATE ON drawings
BEGIN
    INSERT INTO market_trail (owner, drawing, version, time, symbol, kind, actor, body)
    VALUES (
        new.owner, new.id, new.version, new.body ->> '$.changes[#-1].time', new.body ->> '$.symbol',
        new.body ->> '$.content.shape.kind', new.body ->> '$.changes[#-1].actor',
        new.body -> '$.changes[#-1]'
    );
END;

-- What no person looks at, such as the price, asks for the drawings of all owners.
CREATE INDEX drawings_of_all_owners ON drawings (symbol, removed);
