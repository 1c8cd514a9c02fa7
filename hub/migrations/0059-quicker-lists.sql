-- What the overview counts of the few products that are no packages stands in their index: the rows lie far apart.
DROP INDEX products_of_rare_kinds;
CREATE INDEX products_of_rare_kinds ON products (tenant_id, kind, name_folded, entity_id)
  INCLUDE (device_count, first_seen_at) WHERE kind <> 'package';

-- What a device is called as the index of pieces knows it, hashed so that no name outlives its erasure here: what differs
-- from it, or was never there, waits for the job.
ALTER TABLE devices ADD COLUMN searched_as bigint;
CREATE INDEX devices_unsearchable ON devices (tenant_id)
  WHERE searched_as IS DISTINCT FROM hashtextextended(hostname || E'\n' || subscriber_id, 0);
