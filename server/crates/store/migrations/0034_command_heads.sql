-- The newest event before those that a command wrote: where its effect begins. None for a command that
-- wrote in no conversation, and for those of before.
ALTER TABLE commands ADD COLUMN head INTEGER;
