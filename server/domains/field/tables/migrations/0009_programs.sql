-- The program of a device's runner and the update that failed there, by the device's own report: numbers and words
-- of a closed list, whatever a device sends. None before a runner has reported it.
ALTER TABLE field_devices ADD COLUMN program_version TEXT
  CHECK (length(program_version) BETWEEN 5 AND 32 AND program_version NOT GLOB '*[^0-9.]*');
ALTER TABLE field_devices ADD COLUMN failed_version TEXT
  CHECK (length(failed_version) BETWEEN 5 AND 32 AND failed_version NOT GLOB '*[^0-9.]*');
ALTER TABLE field_devices ADD COLUMN failed_reason TEXT
  CHECK (failed_reason IN ('no_report', 'no_start', 'unknown'));
ALTER TABLE field_devices ADD COLUMN failed_tries INTEGER CHECK (failed_tries BETWEEN 0 AND 99);
-- True if the device tries that version again.
ALTER TABLE field_devices ADD COLUMN failed_retried INTEGER CHECK (failed_retried IN (0, 1));
