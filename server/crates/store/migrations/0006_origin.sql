-- The conversation that one goes on from: what its first event says.
ALTER TABLE conversations ADD COLUMN origin TEXT;

UPDATE conversations SET origin = (
    SELECT json_extract(events.body, '$.from') FROM events
    WHERE events.conversation = conversations.key AND events.seq = 1
);

CREATE INDEX conversations_of_origin ON conversations (origin) WHERE origin IS NOT NULL;
