-- What a device called itself before: two plain columns, which a sharded database can compare in an upsert.
ALTER TABLE devices
  ADD COLUMN other_hostname text,
  ADD COLUMN other_hostname_at timestamptz,
  DROP COLUMN other_claim;
