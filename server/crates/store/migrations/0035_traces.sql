-- The request that an event comes of, and the vendor's id of the model call that it records. Nothing is
-- decided by them; older events, and copies in branches, have none.
ALTER TABLE events ADD COLUMN correlation TEXT;
ALTER TABLE events ADD COLUMN model_request TEXT;
