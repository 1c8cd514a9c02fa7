-- What runs on each device, as it told last: one row for each program.
CREATE TABLE running_processes (
  tenant_id uuid NOT NULL,
  device_id uuid NOT NULL,
  process_id bytea NOT NULL,
  name text NOT NULL,
  name_folded text NOT NULL,
  executable_path text NOT NULL,
  application_name text,
  entity_ids text[] NOT NULL,
  count integer NOT NULL,
  guard_rail text,
  since timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, device_id, process_id)
);
CREATE INDEX running_processes_by_name ON running_processes (tenant_id, name_folded);
CREATE INDEX running_processes_by_entity ON running_processes USING gin (entity_ids);

-- Devices that tell what runs; of the others only what they decided about lately is known.
CREATE TABLE running_reports (
  tenant_id uuid NOT NULL,
  device_id uuid NOT NULL,
  at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, device_id)
);
