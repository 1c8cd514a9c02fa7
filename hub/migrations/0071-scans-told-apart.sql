-- Of two machines with one id: the last scan that began after the one with the highest number, and yet had none above it.
ALTER TABLE devices
  ADD COLUMN lower_scan bigint,
  ADD COLUMN lower_scan_started_at timestamptz,
  ADD COLUMN lower_scan_at timestamptz;
-- Two scans may have one number: what one says of a source is not what the other says.
ALTER TABLE coverage ADD COLUMN scan_id uuid;
