-- Devices: tokens, inventory, processes, governance, activity and alerts.
CREATE TABLE agent_tokens (
  token_id uuid PRIMARY KEY,
  token_hash bytea NOT NULL UNIQUE,
  tenant_id uuid NOT NULL,
  name text NOT NULL,
  enrol_only boolean NOT NULL DEFAULT false,
  -- Set: a device token, good for this device and subscriber only.
  device_id uuid,
  subscriber_id text,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz,
  revoked_at timestamptz
);
CREATE INDEX agent_tokens_by_device ON agent_tokens (tenant_id, device_id) WHERE device_id IS NOT NULL;

CREATE TABLE devices (
  tenant_id uuid NOT NULL,
  device_id uuid NOT NULL,
  subscriber_id text NOT NULL,
  hostname text NOT NULL,
  platform text NOT NULL,
  os_version text NOT NULL,
  arch text NOT NULL,
  agent_version text NOT NULL,
  first_seen_at timestamptz NOT NULL,
  last_seen_at timestamptz NOT NULL,
  -- True once a device token was issued: from then on no other token names this device.
  token_bound boolean NOT NULL DEFAULT false,
  inventory_epoch integer NOT NULL DEFAULT 1,
  -- XOR of the content hashes of all entities not removed.
  inventory_hash bytea NOT NULL,
  entity_count integer NOT NULL DEFAULT 0,
  last_scan_at timestamptz,
  -- Whether the device holds the overrides that it should, as of its last poll.
  governance_state text NOT NULL DEFAULT 'unknown',
  governance_since timestamptz,
  PRIMARY KEY (tenant_id, device_id)
);
CREATE INDEX devices_by_seen ON devices (tenant_id, last_seen_at DESC, device_id);
CREATE INDEX devices_by_name ON devices (tenant_id, lower(hostname), device_id);
CREATE INDEX devices_by_subscriber ON devices (tenant_id, subscriber_id);

CREATE TABLE entities (
  tenant_id uuid NOT NULL,
  device_id uuid NOT NULL,
  entity_id bytea NOT NULL,
  kind text NOT NULL,
  source text NOT NULL,
  name text NOT NULL,
  version text,
  publisher text,
  install_path text,
  executables jsonb NOT NULL,
  instances jsonb NOT NULL,
  installed_at timestamptz,
  launch_hash text,
  details jsonb,
  content_hash bytea NOT NULL,
  -- The scan that spoke last about it; what a lower one says changes nothing.
  scan_seq bigint NOT NULL,
  first_seen_at timestamptz NOT NULL,
  last_seen_at timestamptz NOT NULL,
  removed_at timestamptz,
  PRIMARY KEY (tenant_id, device_id, entity_id)
);
CREATE INDEX entities_by_entity ON entities (tenant_id, entity_id, device_id) WHERE removed_at IS NULL;
CREATE INDEX entities_by_name ON entities (tenant_id, device_id, lower(name), entity_id);

CREATE TABLE products (
  tenant_id uuid NOT NULL,
  entity_id bytea NOT NULL,
  kind text NOT NULL,
  source text NOT NULL,
  platform text NOT NULL,
  name text NOT NULL,
  name_folded text NOT NULL,
  publisher text,
  device_count integer NOT NULL,
  first_seen_at timestamptz NOT NULL,
  last_seen_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, entity_id)
);
CREATE INDEX products_by_name ON products (tenant_id, name_folded, entity_id);
CREATE INDEX products_by_count ON products (tenant_id, device_count DESC, entity_id);
CREATE INDEX products_by_first_seen ON products (tenant_id, first_seen_at DESC, entity_id);

CREATE TABLE product_versions (
  tenant_id uuid NOT NULL,
  entity_id bytea NOT NULL,
  -- Empty: version not known.
  version text NOT NULL,
  device_count integer NOT NULL,
  PRIMARY KEY (tenant_id, entity_id, version)
);

-- What the tenant decided about a product as a whole; written by governance through inventory.
CREATE TABLE product_decisions (
  tenant_id uuid NOT NULL,
  entity_id bytea NOT NULL,
  override_id uuid NOT NULL,
  approval_status text NOT NULL,
  execution_policy text NOT NULL,
  PRIMARY KEY (tenant_id, entity_id)
);

CREATE TABLE batches (
  tenant_id uuid NOT NULL,
  device_id uuid NOT NULL,
  batch_id uuid NOT NULL,
  endpoint text NOT NULL,
  body_hash bytea NOT NULL,
  accepted integer NOT NULL,
  unchanged integer NOT NULL,
  received_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, device_id, batch_id)
);
CREATE INDEX batches_by_receipt ON batches (received_at);

CREATE TABLE scans (
  tenant_id uuid NOT NULL,
  device_id uuid NOT NULL,
  scan_id uuid NOT NULL,
  seq bigint NOT NULL,
  kind text NOT NULL,
  started_at timestamptz NOT NULL,
  batches integer NOT NULL,
  finished_at timestamptz,
  -- A full scan that ended without saying what it looked at spoke about everything.
  covers_all boolean NOT NULL DEFAULT false,
  received_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, device_id, scan_id)
);
CREATE INDEX scans_by_receipt ON scans (received_at);

-- What each batch of a full scan named, until the scan has ended.
CREATE TABLE scan_batches (
  tenant_id uuid NOT NULL,
  device_id uuid NOT NULL,
  scan_id uuid NOT NULL,
  batch integer NOT NULL,
  entity_ids bytea[] NOT NULL,
  coverage jsonb,
  PRIMARY KEY (tenant_id, device_id, scan_id, batch)
);

CREATE TABLE coverage (
  tenant_id uuid NOT NULL,
  device_id uuid NOT NULL,
  source text NOT NULL,
  -- Empty: of the machine, not of one person.
  owner text NOT NULL,
  state text NOT NULL,
  entities integer NOT NULL,
  reason text,
  scan_seq bigint NOT NULL,
  -- The last full scan that read it to its end: what a lower scan finds here besides is gone already.
  full_seq bigint NOT NULL DEFAULT -1,
  at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, device_id, source, owner)
);

CREATE TABLE unknown_processes (
  tenant_id uuid NOT NULL,
  process_id bytea NOT NULL,
  name text NOT NULL,
  name_folded text NOT NULL,
  executable_path text NOT NULL,
  platform text NOT NULL,
  publisher text,
  sha256 text,
  device_count integer NOT NULL,
  first_seen_at timestamptz NOT NULL,
  last_seen_at timestamptz NOT NULL,
  -- A mapping of the process map covers it: it is no longer unknown.
  mapped boolean NOT NULL DEFAULT false,
  PRIMARY KEY (tenant_id, process_id)
);
CREATE INDEX unknown_processes_by_name
  ON unknown_processes (tenant_id, name_folded, process_id) WHERE NOT mapped;

CREATE TABLE unknown_process_sightings (
  tenant_id uuid NOT NULL,
  process_id bytea NOT NULL,
  device_id uuid NOT NULL,
  count bigint NOT NULL,
  first_seen_at timestamptz NOT NULL,
  last_seen_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, process_id, device_id)
);
CREATE INDEX unknown_process_sightings_by_device
  ON unknown_process_sightings (tenant_id, device_id, last_seen_at DESC);

CREATE TABLE process_mappings (
  tenant_id uuid NOT NULL,
  mapping_id uuid NOT NULL,
  process_name text NOT NULL,
  name_folded text NOT NULL,
  -- Empty: every platform.
  platform text NOT NULL,
  match text NOT NULL,
  application_name text NOT NULL,
  entity_id text,
  created_at timestamptz NOT NULL,
  created_by text NOT NULL,
  PRIMARY KEY (tenant_id, mapping_id),
  UNIQUE (tenant_id, name_folded, platform, match)
);

CREATE TABLE overrides (
  tenant_id uuid NOT NULL,
  override_id uuid NOT NULL,
  -- The governance feed number of the last change, and the version that If-Match compares.
  revision bigint NOT NULL,
  version integer NOT NULL,
  deleted boolean NOT NULL DEFAULT false,
  match jsonb NOT NULL,
  approval_status text NOT NULL,
  execution_policy text NOT NULL,
  severity text NOT NULL,
  reason text,
  scope_kind text NOT NULL,
  -- The group, subscriber or device; empty for the tenant.
  scope_id text NOT NULL,
  effective_at timestamptz,
  expires_at timestamptz,
  rollout_percent integer NOT NULL,
  created_at timestamptz NOT NULL,
  created_by text NOT NULL,
  updated_at timestamptz NOT NULL,
  updated_by text NOT NULL,
  PRIMARY KEY (tenant_id, override_id)
);
CREATE UNIQUE INDEX overrides_by_revision ON overrides (tenant_id, revision);
CREATE INDEX overrides_by_creation ON overrides (tenant_id, created_at DESC, override_id) WHERE NOT deleted;
CREATE INDEX overrides_by_entity ON overrides (tenant_id, (match ->> 'entity_id')) WHERE NOT deleted;

-- Whom an override no longer aims at since a revision: those devices get it as deleted.
CREATE TABLE override_departures (
  tenant_id uuid NOT NULL,
  revision bigint NOT NULL,
  override_id uuid NOT NULL,
  scope_kind text NOT NULL,
  scope_id text NOT NULL,
  PRIMARY KEY (tenant_id, revision, override_id)
);

CREATE TABLE activity_ids (
  tenant_id uuid NOT NULL,
  activity_id uuid NOT NULL,
  received_on date NOT NULL,
  PRIMARY KEY (tenant_id, activity_id)
);
CREATE INDEX activity_ids_by_day ON activity_ids (received_on);

CREATE TABLE activity (
  tenant_id uuid NOT NULL,
  received_on date NOT NULL,
  activity_id uuid NOT NULL,
  device_id uuid NOT NULL,
  received_at timestamptz NOT NULL,
  decided_at timestamptz NOT NULL,
  process jsonb NOT NULL,
  process_name_folded text NOT NULL,
  application_name text,
  entity_id text,
  override_id uuid,
  decision text NOT NULL,
  enforced boolean NOT NULL,
  outcome text NOT NULL,
  PRIMARY KEY (tenant_id, received_on, activity_id)
) PARTITION BY RANGE (received_on);
CREATE INDEX activity_by_time ON activity (tenant_id, received_at DESC, activity_id);
CREATE INDEX activity_by_device ON activity (tenant_id, device_id, received_at DESC);
CREATE INDEX activity_by_entity ON activity (tenant_id, entity_id, received_at DESC);
CREATE TABLE activity_default PARTITION OF activity DEFAULT;

CREATE TABLE alert_ids (
  tenant_id uuid NOT NULL,
  alert_id uuid NOT NULL,
  received_on date NOT NULL,
  PRIMARY KEY (tenant_id, alert_id)
);
CREATE INDEX alert_ids_by_day ON alert_ids (received_on);

CREATE TABLE alerts (
  tenant_id uuid NOT NULL,
  received_on date NOT NULL,
  alert_id uuid NOT NULL,
  device_id uuid NOT NULL,
  received_at timestamptz NOT NULL,
  occurred_at timestamptz NOT NULL,
  severity text NOT NULL,
  action text NOT NULL,
  code text,
  application_name text,
  process jsonb,
  override_id uuid,
  outcome text,
  message text NOT NULL,
  queued boolean NOT NULL,
  acknowledged_at timestamptz,
  acknowledged_by text,
  PRIMARY KEY (tenant_id, received_on, alert_id)
) PARTITION BY RANGE (received_on);
CREATE INDEX alerts_by_time ON alerts (tenant_id, received_at DESC, alert_id);
CREATE INDEX alerts_open ON alerts (tenant_id, received_at DESC, alert_id) WHERE acknowledged_at IS NULL;
CREATE TABLE alerts_default PARTITION OF alerts DEFAULT;
