-- Events that mean something beyond their turn: how a conversation began, its titles, messages that wait,
-- grants and what ran under them, what became of calls. The newest turns are shown with these, without
-- reading all others.
CREATE TABLE lasting (
    conversation INTEGER NOT NULL REFERENCES conversations (key) ON DELETE CASCADE,
    seq          INTEGER NOT NULL,
    PRIMARY KEY (conversation, seq)
) STRICT, WITHOUT ROWID;

INSERT INTO lasting (conversation, seq)
SELECT conversation, seq FROM events
WHERE json_extract(body, '$.type') IN (
        'conversation_started', 'title_changed', 'message_queued',
        'grant_given', 'grant_revoked', 'outcome_resolved')
    OR (json_extract(body, '$.type') = 'tool_started' AND json_extract(body, '$.grant') IS NOT NULL);
