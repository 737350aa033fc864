-- When a conversation came out of a file; null for those that were made here. Nobody writes in such a
-- one: it is never taken over, so it has no epoch under which a write would succeed.
ALTER TABLE conversations ADD COLUMN imported INTEGER;
