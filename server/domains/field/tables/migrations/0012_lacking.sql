-- JSON array of words: the limits that a device could enforce in none of its reports. Null before it has reported
-- its sandboxes since this is kept.
ALTER TABLE field_devices ADD COLUMN lacking TEXT;
-- The time of the report since which it lacks a limit that it had before.
ALTER TABLE field_devices ADD COLUMN lost_ms INTEGER;
