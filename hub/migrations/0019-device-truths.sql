-- One product may be called differently on different devices: the name that most of them give is the product's.
ALTER TABLE products
  -- Some device may call it otherwise: who looks for a name has to look at the devices' own.
  ADD COLUMN names_differ boolean NOT NULL DEFAULT false,
  -- A job has to count again how devices call it.
  ADD COLUMN names_doubted boolean NOT NULL DEFAULT false;
UPDATE products p SET names_differ = true, names_doubted = true
FROM (SELECT tenant_id, entity_id FROM entities WHERE removed_at IS NULL
  GROUP BY tenant_id, entity_id
  HAVING count(DISTINCT name) > 1 OR count(DISTINCT coalesce(publisher, '')) > 1) e
WHERE p.tenant_id = e.tenant_id AND p.entity_id = e.entity_id;
CREATE INDEX products_of_many_names ON products (tenant_id, entity_id) WHERE names_differ;
CREATE INDEX products_doubted ON products (tenant_id, entity_id) WHERE names_doubted;

-- What one device read of a file says nothing of the same path on another.
ALTER TABLE unknown_process_sightings ADD COLUMN sha256 text;
UPDATE unknown_process_sightings s SET sha256 = u.sha256 FROM unknown_processes u
WHERE u.tenant_id = s.tenant_id AND u.process_id = s.process_id AND u.device_count = 1;

-- What the last machine said of itself that had the device's id without its token.
ALTER TABLE devices ADD COLUMN claim jsonb, ADD COLUMN claimed_at timestamptz;
