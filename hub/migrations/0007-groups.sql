-- Device groups, staged rollouts and default policies.
CREATE TABLE device_groups (
  tenant_id uuid NOT NULL,
  group_id uuid NOT NULL,
  version integer NOT NULL,
  name text NOT NULL,
  name_folded text NOT NULL,
  description text,
  created_at timestamptz NOT NULL,
  created_by text NOT NULL,
  updated_at timestamptz NOT NULL,
  updated_by text NOT NULL,
  PRIMARY KEY (tenant_id, group_id),
  UNIQUE (tenant_id, name_folded)
);

CREATE TABLE device_group_members (
  tenant_id uuid NOT NULL,
  group_id uuid NOT NULL,
  device_id uuid NOT NULL,
  -- The governance feed number of the joining: from then on the group's overrides aim at the device.
  revision bigint NOT NULL,
  added_at timestamptz NOT NULL,
  added_by text NOT NULL,
  PRIMARY KEY (tenant_id, group_id, device_id)
);
CREATE INDEX device_group_members_by_device ON device_group_members (tenant_id, device_id);
CREATE INDEX device_group_members_by_revision ON device_group_members (tenant_id, revision);

-- Since a revision a device is no longer in a group: it gets that group's overrides as deleted.
CREATE TABLE device_group_departures (
  tenant_id uuid NOT NULL,
  revision bigint NOT NULL,
  group_id uuid NOT NULL,
  device_id uuid NOT NULL,
  PRIMARY KEY (tenant_id, revision, group_id, device_id)
);

-- Whom the rollout had admitted before: nobody else need hear that the override left.
ALTER TABLE override_departures ADD COLUMN rollout_percent integer NOT NULL DEFAULT 100;

-- Set: the override stands for what has no decision, of this kind; PUT default-policies writes it.
ALTER TABLE overrides ADD COLUMN default_kind text;

CREATE TABLE override_rollouts (
  tenant_id uuid NOT NULL,
  override_id uuid NOT NULL,
  state text NOT NULL,
  rings jsonb NOT NULL,
  limits jsonb NOT NULL,
  -- Which ring it stands in, from 0.
  ring integer NOT NULL,
  ring_started_at timestamptz NOT NULL,
  -- Blocks and lost devices count from here: the start, or the last time a person resumed it.
  watched_since timestamptz NOT NULL,
  -- When a hub looked last, and since when one has without a gap.
  checked_at timestamptz NOT NULL,
  reachable_since timestamptz NOT NULL,
  stopped_reason text,
  started_at timestamptz NOT NULL,
  started_by text NOT NULL,
  updated_at timestamptz NOT NULL,
  updated_by text NOT NULL,
  PRIMARY KEY (tenant_id, override_id)
);
CREATE INDEX override_rollouts_running ON override_rollouts (tenant_id, override_id) WHERE state = 'running';

-- A tenant that never set any has no row.
CREATE TABLE default_policies (
  tenant_id uuid NOT NULL,
  version integer NOT NULL,
  updated_at timestamptz NOT NULL,
  updated_by text NOT NULL,
  PRIMARY KEY (tenant_id)
);

-- When the poll was that said the governance state; an older one never overwrites it.
ALTER TABLE devices ADD COLUMN governance_at timestamptz;
