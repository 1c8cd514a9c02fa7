-- The highest scan number of a device stands in its row, which every group locks anyway.
ALTER TABLE devices ADD COLUMN highest_scan bigint NOT NULL DEFAULT -1;
UPDATE devices d SET highest_scan = coalesce((
  SELECT max(s.seq) FROM scans s WHERE s.tenant_id = d.tenant_id AND s.device_id = d.device_id), -1);
