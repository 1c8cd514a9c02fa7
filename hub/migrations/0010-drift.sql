-- Drift: what an approved product launches, or what it may do, changed on a device since it was approved.
CREATE TABLE product_drifts (
  tenant_id uuid NOT NULL,
  entity_id bytea NOT NULL,
  device_id uuid NOT NULL,
  since timestamptz NOT NULL,
  launch_changed boolean NOT NULL,
  -- What it was not allowed before.
  new_permissions text[] NOT NULL,
  PRIMARY KEY (tenant_id, entity_id, device_id)
);
ALTER TABLE product_decisions ADD COLUMN drifted_at timestamptz;
