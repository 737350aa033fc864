-- Where a conversation stands in its person's list: listed, pinned or archived, and since when.
ALTER TABLE conversations ADD COLUMN shelf TEXT NOT NULL DEFAULT 'listed';
ALTER TABLE conversations ADD COLUMN shelved INTEGER NOT NULL DEFAULT 0;
-- When its person deleted it. It is hidden from then on, and removed a little later.
ALTER TABLE conversations ADD COLUMN deleted INTEGER;

CREATE INDEX conversations_on_shelf ON conversations (owner, shelf, updated DESC) WHERE shelf <> 'listed';
CREATE INDEX conversations_shelved ON conversations (owner, shelved) WHERE shelved > 0;
CREATE INDEX conversations_deleted ON conversations (deleted) WHERE deleted IS NOT NULL;

-- The words of titles, and of what people and the model said. A row is the conversation's key * 2^32
-- + the number of the event; 0 for the title.
CREATE VIRTUAL TABLE said USING fts5 (
    title, text,
    content = '', contentless_delete = 1, prefix = '2 3',
    tokenize = "unicode61 remove_diacritics 2"
);

-- A word in a title counts for more than one in a text.
INSERT INTO said (said, rank) VALUES ('rank', 'bm25(6.0, 1.0)');

INSERT INTO said (rowid, title, text)
SELECT key << 32, title, '' FROM conversations WHERE action IS NULL;

INSERT INTO said (rowid, title, text)
SELECT (conversation << 32) | seq, '', text FROM (
    SELECT conversation, seq, CASE json_extract(body, '$.type')
        WHEN 'turn_started' THEN json_extract(body, '$.text')
        WHEN 'assistant_message' THEN (
            SELECT group_concat(json_extract(value, '$.text'), char(10))
            FROM json_each(body, '$.blocks') WHERE json_extract(value, '$.type') = 'text')
        END AS text
    FROM events)
WHERE text <> '';

CREATE TRIGGER conversations_are_forgotten AFTER DELETE ON conversations
BEGIN
    DELETE FROM said WHERE rowid BETWEEN old.key << 32 AND (old.key << 32) | 4294967295;
END;
