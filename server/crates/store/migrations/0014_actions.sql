-- The call, as JSON, where a journal is no conversation but a person's own call.
ALTER TABLE conversations ADD COLUMN action TEXT;
