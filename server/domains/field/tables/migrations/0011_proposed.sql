-- The versions that were proposed for each device are counted whenever the devices are read.
CREATE INDEX field_proposals_by_versions ON field_proposals (device, head);
