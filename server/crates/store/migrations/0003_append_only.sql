-- A journal is never rewritten. The events of a conversation go only with the conversation itself.

CREATE TRIGGER events_are_not_changed BEFORE UPDATE ON events
BEGIN
    SELECT RAISE(ABORT, 'events are append-only');
END;

CREATE TRIGGER system_events_are_not_changed BEFORE UPDATE ON system_events
BEGIN
    SELECT RAISE(ABORT, 'system events are append-only');
END;

CREATE TRIGGER system_events_are_not_deleted BEFORE DELETE ON system_events
BEGIN
    SELECT RAISE(ABORT, 'system events are append-only');
END;
