-- The packs that the user chose last, as a JSON array of toolsets; null until they choose.
ALTER TABLE users ADD COLUMN packs TEXT;
