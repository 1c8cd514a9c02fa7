-- Ingest in groups: a batch remembers what it named, so an unchanged one writes no entity at all.
ALTER TABLE devices ADD COLUMN inventory_version bigint NOT NULL DEFAULT 1;

ALTER TABLE batches
  ADD COLUMN scan_id uuid,
  ADD COLUMN scan_seq bigint,
  ADD COLUMN scan_batch integer,
  -- The first 8 bytes of each entity id that it named as present, and of each that it called removed.
  ADD COLUMN named bytea,
  ADD COLUMN gone bytea,
  -- XOR of the content hashes of what it named.
  ADD COLUMN contents bytea,
  ADD COLUMN coverage jsonb;
CREATE INDEX batches_by_scan ON batches (tenant_id, device_id, scan_seq, scan_id)
  WHERE scan_id IS NOT NULL;

DROP TABLE scan_batches;
CREATE INDEX scans_by_seq ON scans (tenant_id, device_id, seq DESC);
