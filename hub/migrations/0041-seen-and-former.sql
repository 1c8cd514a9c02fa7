-- What people may have seen of a device before they retire, admit or move it: counts what people do with it.
ALTER TABLE devices ADD COLUMN version integer NOT NULL DEFAULT 1;
-- What was launched and permitted before it drifted: null where it drifted under an older hub.
ALTER TABLE product_drifts ADD COLUMN former jsonb;
-- Counts what drifted and was reviewed of an application; none stands for 1.
CREATE TABLE application_versions (
  tenant_id uuid NOT NULL,
  entity_id bytea NOT NULL,
  version integer NOT NULL,
  PRIMARY KEY (tenant_id, entity_id)
);
