-- The schema of version 0.1.0, grouped by table: columns, keys, indexes. Row security, partitions and the placement of tables on
-- Citus are applied by code (row-security.ts, partitions.ts, distribute.ts).

CREATE SEQUENCE mcp_tool_call_log_ids;

-- The installation, its tenants, feeds and audit log.
CREATE TABLE installation (
  one boolean DEFAULT true NOT NULL,
  installation_id uuid DEFAULT gen_random_uuid() NOT NULL,
  feed_epoch uuid DEFAULT gen_random_uuid() NOT NULL,
  -- The canonical origin of the hub that served last; commands write it into tokens.
  origin text,
  created_at timestamptz DEFAULT now() NOT NULL,
  -- The time when the backup command last wrote a complete file; null: unknown.
  last_backup_at timestamptz,
  -- The last backup proof: time, version, and the failed steps; empty: all steps passed.
  last_proof_at timestamptz,
  last_proof_version text,
  last_proof_failed text[],
  -- The watermark of the job that compares new entities with approvals; later entities are compared after a downtime,
  -- too.
  reconciled_until timestamptz,
  CONSTRAINT installation_one_check CHECK (one),
  CONSTRAINT installation_pkey PRIMARY KEY (one)
);

CREATE TABLE installation_secrets (
  name text NOT NULL,
  sealed text NOT NULL,
  CONSTRAINT installation_secrets_pkey PRIMARY KEY (name)
);

CREATE TABLE tenants (
  tenant_id uuid NOT NULL,
  name text NOT NULL,
  enforcement_ceiling text DEFAULT 'enforce' NOT NULL,
  created_at timestamptz DEFAULT now() NOT NULL,
  suspended_at timestamptz,
  stale_after_hours integer DEFAULT 336 NOT NULL,
  drift_policy text DEFAULT 'approval' NOT NULL,
  -- The version that If-Match compares.
  drift_policy_version integer DEFAULT 1 NOT NULL,
  personal_homes boolean DEFAULT true NOT NULL,
  browser_profiles boolean DEFAULT true NOT NULL,
  discovery_version integer DEFAULT 1 NOT NULL,
  tray_pause_minutes integer DEFAULT 0 NOT NULL,
  tray_contact text,
  tray_version integer DEFAULT 1 NOT NULL,
  CONSTRAINT tenants_drift_policy_check CHECK (drift_policy IN ('approval', 'warn', 'block')),
  CONSTRAINT tenants_enforcement_ceiling_check CHECK (enforcement_ceiling IN ('enforce', 'monitor', 'off')),
  CONSTRAINT tenants_stale_after_hours_check CHECK (((stale_after_hours >= 1) AND (stale_after_hours <= 8760))),
  CONSTRAINT tenants_tray_contact_check CHECK (((length(tray_contact) >= 1) AND (length(tray_contact) <= 256))),
  CONSTRAINT tenants_tray_pause_minutes_check CHECK (((tray_pause_minutes >= 0) AND (tray_pause_minutes <= 480))),
  CONSTRAINT tenants_pkey PRIMARY KEY (tenant_id)
);

CREATE TABLE feeds (
  tenant_id uuid NOT NULL,
  topic text NOT NULL,
  n bigint NOT NULL,
  -- Scope exits are retained for a time. The floor is the highest number without them: an older cursor gets 410.
  floor bigint DEFAULT 0 NOT NULL,
  -- For erased users: the feed number up to which their policies lost the owner, by a hash of the name.
  erased jsonb DEFAULT '{}'::jsonb NOT NULL,
  CONSTRAINT feeds_pkey PRIMARY KEY (tenant_id, topic)
);

CREATE TABLE audit_events (
  tenant_id uuid NOT NULL,
  event_id uuid NOT NULL,
  at timestamptz NOT NULL,
  actor jsonb NOT NULL,
  operation text NOT NULL,
  resource jsonb NOT NULL,
  result text NOT NULL,
  request_id text,
  detail jsonb NOT NULL,
  -- True for events that the management API shows.
  management boolean DEFAULT false NOT NULL,
  -- Checkpoints make tampering visible: each numbered checkpoint covers events and the checkpoint before it.
  checkpoint bigint,
  mac bytea,
  CONSTRAINT audit_events_pkey PRIMARY KEY (tenant_id, event_id)
);
CREATE INDEX audit_events_by_actor ON audit_events (tenant_id, lower((actor ->> 'email')), at DESC, event_id);
CREATE INDEX audit_events_by_operation ON audit_events (tenant_id, operation, at DESC, event_id);
CREATE INDEX audit_events_by_resource ON audit_events (tenant_id, ((resource ->> 'id')), at DESC);
CREATE INDEX audit_events_by_time ON audit_events (tenant_id, at DESC, event_id);
CREATE INDEX audit_events_of_checkpoint ON audit_events (tenant_id, checkpoint) WHERE (checkpoint IS NOT NULL);
CREATE INDEX audit_events_of_management ON audit_events (tenant_id, at DESC, event_id DESC) WHERE management;
CREATE INDEX audit_events_open ON audit_events (tenant_id, at, event_id) WHERE (checkpoint IS NULL);

-- Users: accounts of the embedded login provider, memberships of tenants, sessions.
CREATE TABLE accounts (
  account_id uuid NOT NULL,
  email text NOT NULL,
  email_folded text NOT NULL,
  password_hash text NOT NULL,
  created_at timestamptz DEFAULT now() NOT NULL,
  -- The tenant whose invitation created the account; null: the operator verified the address.
  invited_by uuid,
  CONSTRAINT accounts_email_folded_key UNIQUE (email_folded),
  CONSTRAINT accounts_pkey PRIMARY KEY (account_id)
);

CREATE TABLE members (
  tenant_id uuid NOT NULL,
  user_id uuid NOT NULL,
  email text NOT NULL,
  email_folded text NOT NULL,
  role text NOT NULL,
  created_at timestamptz DEFAULT now() NOT NULL,
  disabled_at timestamptz,
  -- Users are updated by version and record their last sign-in; sessions are listed and ended separately.
  version integer DEFAULT 1 NOT NULL,
  last_sign_in_at timestamptz,
  is_searchable boolean DEFAULT false NOT NULL,
  -- The directory's name and attributes of the user; null for users that an admin created.
  user_name text,
  user_name_folded text,
  external_id text,
  profile jsonb,
  -- The directory deleted the user: it does not list the user until the user is enabled again.
  deprovisioned_at timestamptz,
  given_role text,
  -- Null until the user accepts the membership; a user without another tenant accepts by signing in.
  accepted_at timestamptz,
  -- Sessions and tokens issued before this time are invalid in the tenant; disabling the user moves the time.
  access_valid_from timestamptz,
  CONSTRAINT members_given_role_check CHECK (given_role IN ('Member', 'Viewer', 'Reviewer', 'Admin')),
  CONSTRAINT members_role_check CHECK (role IN ('Member', 'Viewer', 'Reviewer', 'Admin')),
  CONSTRAINT members_pkey PRIMARY KEY (tenant_id, user_id),
  CONSTRAINT members_tenant_id_email_folded_key UNIQUE (tenant_id, email_folded)
);
CREATE INDEX members_by_email ON members (email_folded);
CREATE INDEX members_by_external_id ON members (tenant_id, external_id) WHERE (external_id IS NOT NULL);
CREATE UNIQUE INDEX members_by_user_name ON members (tenant_id, user_name_folded) WHERE (user_name_folded IS NOT NULL);
CREATE INDEX members_unsearchable ON members (tenant_id) WHERE (NOT is_searchable);

-- Invited addresses until they accept. The link is looked up by the hash of its token before the tenant is known.
CREATE TABLE user_invitations (
  tenant_id uuid NOT NULL,
  invitation_id uuid NOT NULL,
  email text NOT NULL,
  email_folded text NOT NULL,
  role text NOT NULL,
  token_hash bytea NOT NULL,
  created_at timestamptz DEFAULT now() NOT NULL,
  created_by text NOT NULL,
  expires_at timestamptz NOT NULL,
  CONSTRAINT user_invitations_role_check CHECK (role IN ('Member', 'Viewer', 'Reviewer', 'Admin')),
  CONSTRAINT user_invitations_pkey PRIMARY KEY (tenant_id, invitation_id),
  CONSTRAINT user_invitations_tenant_id_email_folded_key UNIQUE (tenant_id, email_folded),
  CONSTRAINT user_invitations_token_hash_key UNIQUE (token_hash)
);
CREATE INDEX user_invitations_by_email ON user_invitations (email_folded);

CREATE TABLE sessions (
  session_hash bytea NOT NULL,
  email text NOT NULL,
  email_folded text NOT NULL,
  csrf_token text NOT NULL,
  created_at timestamptz DEFAULT now() NOT NULL,
  expires_at timestamptz NOT NULL,
  session_id uuid DEFAULT gen_random_uuid() NOT NULL,
  -- The browser's user agent, truncated; never an address.
  user_agent text DEFAULT '' NOT NULL,
  last_used_at timestamptz DEFAULT now() NOT NULL,
  source_address text,
  CONSTRAINT sessions_pkey PRIMARY KEY (session_hash)
);
CREATE INDEX sessions_by_email ON sessions (email_folded);
CREATE UNIQUE INDEX sessions_by_id ON sessions (session_id);

-- Models of oidc-provider, stored as documents.
CREATE TABLE oidc_payloads (
  model text NOT NULL,
  id text NOT NULL,
  payload jsonb NOT NULL,
  grant_id text,
  uid text,
  user_code text,
  expires_at timestamptz,
  consumed_at timestamptz,
  CONSTRAINT oidc_payloads_pkey PRIMARY KEY (model, id)
);
CREATE INDEX oidc_payloads_by_expiry ON oidc_payloads (expires_at);
CREATE INDEX oidc_payloads_by_grant ON oidc_payloads (grant_id) WHERE (grant_id IS NOT NULL);
CREATE INDEX oidc_payloads_by_uid ON oidc_payloads (uid) WHERE (uid IS NOT NULL);

-- Devices: tokens, inventory, processes, policies, activity and alerts.
CREATE TABLE agent_tokens (
  token_id uuid NOT NULL,
  token_hash bytea NOT NULL,
  tenant_id uuid NOT NULL,
  name text NOT NULL,
  enrol_only boolean DEFAULT false NOT NULL,
  -- Set for a device token, which is valid for this device and subscriber only.
  device_id uuid,
  subscriber_id text,
  created_at timestamptz DEFAULT now() NOT NULL,
  expires_at timestamptz,
  revoked_at timestamptz,
  CONSTRAINT agent_tokens_pkey PRIMARY KEY (token_id),
  CONSTRAINT agent_tokens_token_hash_key UNIQUE (token_hash)
);
CREATE INDEX agent_tokens_by_device ON agent_tokens (tenant_id, device_id) WHERE (device_id IS NOT NULL);

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
  -- True once a device token was issued: then no other token authenticates this device.
  token_bound boolean DEFAULT false NOT NULL,
  inventory_epoch integer DEFAULT 1 NOT NULL,
  -- XOR of the content hashes of all entities that are not removed.
  inventory_hash bytea NOT NULL,
  entity_count integer DEFAULT 0 NOT NULL,
  last_scan_at timestamptz,
  -- Whether the device has all policies that it should have, as of its last poll.
  governance_state text DEFAULT 'unknown' NOT NULL,
  governance_since timestamptz,
  -- Batches store the entities that they mentioned, so that an unchanged batch writes no entity.
  inventory_version bigint DEFAULT 1 NOT NULL,
  -- The time of the poll that reported the policy state; an older poll never overwrites it.
  governance_at timestamptz,
  retired_at timestamptz,
  duplicate_since timestamptz,
  -- The highest scan number, stored in the row that every ingest locks anyway.
  highest_scan bigint DEFAULT '-1'::integer NOT NULL,
  scoped_version bigint,
  other_hostname text,
  other_hostname_at timestamptz,
  inventory_unequal_since timestamptz,
  inventory_doubted_at timestamptz,
  governance_reset_at timestamptz,
  -- The time of the last claim of this device by another user without a device token.
  subscriber_changed_at timestamptz,
  -- Added to the scan numbers of the device: raised with each epoch, so that scans after a lost local store are
  -- accepted.
  scan_base bigint DEFAULT 0 NOT NULL,
  -- Mentioned entities of scans up to this number are deleted.
  forgotten_scan bigint DEFAULT '-1'::integer NOT NULL,
  -- The facts of the last machine that sent this device id without its token.
  claim jsonb,
  claimed_at timestamptz,
  -- The version that users see before they retire, readmit or assign the device: it counts actions of users.
  version integer DEFAULT 1 NOT NULL,
  -- The enrollment id of a device that did not read the enrollment response: the device enrolls again with it.
  enrolment_key_hash bytea,
  -- The hash of the names in the search index. Names stay out of it, so that an erasure leaves none; a different hash
  -- waits for the job.
  searched_as bigint,
  lower_scan bigint,
  lower_scan_started_at timestamptz,
  lower_scan_at timestamptz,
  CONSTRAINT devices_pkey PRIMARY KEY (tenant_id, device_id)
);
CREATE INDEX devices_by_first_seen ON devices (tenant_id, first_seen_at DESC, device_id);
CREATE INDEX devices_by_move ON devices (subscriber_changed_at) WHERE (subscriber_changed_at IS NOT NULL);
CREATE INDEX devices_by_name ON devices (tenant_id, lower(hostname), device_id);
CREATE INDEX devices_by_person ON devices (tenant_id, lower((subscriber_id COLLATE "C")), device_id) WHERE (retired_at IS NULL);
CREATE INDEX devices_by_seen ON devices (tenant_id, last_seen_at DESC, device_id);
CREATE INDEX devices_by_subscriber ON devices (tenant_id, subscriber_id);
CREATE INDEX devices_unsearchable ON devices (tenant_id) WHERE (searched_as IS DISTINCT FROM hashtextextended(((hostname || '
') || subscriber_id), (0)::bigint));

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
  -- The scan that last mentioned the entity; a lower scan changes nothing.
  scan_seq bigint NOT NULL,
  first_seen_at timestamptz NOT NULL,
  last_seen_at timestamptz NOT NULL,
  removed_at timestamptz,
  CONSTRAINT entities_pkey PRIMARY KEY (tenant_id, device_id, entity_id)
)
WITH (fillfactor='85');
CREATE INDEX entities_by_entity ON entities (tenant_id, entity_id, device_id) WHERE (removed_at IS NULL);
CREATE INDEX entities_by_launch ON entities (tenant_id, launch_hash, entity_id) WHERE ((launch_hash IS NOT NULL) AND (removed_at IS NULL));
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
  -- Some device may report another name: a search by name has to read the entities of devices.
  names_differ boolean DEFAULT false NOT NULL,
  -- A job has to recount the names that devices report.
  names_doubted boolean DEFAULT false NOT NULL,
  -- A search reads rows directly that the job has not indexed yet, so that it never depends on the job.
  is_searchable boolean DEFAULT false NOT NULL,
  -- Whether any device reported a launch or a permission of the app, so that lists need not read all entities. Null:
  -- unknown.
  may_drift boolean,
  -- A product groups apps over platforms and sources. A row of "products" is an app: a kind, source and identity on a
  -- platform. "product_rules" is the version of the grouping rules; 0: to be applied again. "is_grouped" is false while
  -- its product is recounted.
  product_id bytea,
  product_key text,
  product_rules integer DEFAULT 0 NOT NULL,
  is_grouped boolean DEFAULT false NOT NULL,
  risk_hints text[] DEFAULT '{}'::text[] NOT NULL,
  CONSTRAINT products_pkey PRIMARY KEY (tenant_id, entity_id)
);
CREATE INDEX products_by_count ON products (tenant_id, device_count DESC, entity_id);
CREATE INDEX products_by_first_seen ON products (tenant_id, first_seen_at DESC, entity_id);
CREATE INDEX products_by_name ON products (tenant_id, name_folded, entity_id);
CREATE INDEX products_by_product ON products (tenant_id, product_id);
CREATE INDEX products_by_publisher ON products (tenant_id, kind, lower(publisher)) WHERE (kind <> 'package');
CREATE INDEX products_by_rules ON products (product_rules, tenant_id, entity_id);
CREATE INDEX products_doubted ON products (tenant_id, entity_id) WHERE names_doubted;
CREATE INDEX products_of_many_names ON products (tenant_id, entity_id) WHERE names_differ;
CREATE INDEX products_of_rare_kinds ON products (tenant_id, kind, name_folded, entity_id) INCLUDE (device_count, first_seen_at) WHERE (kind <> 'package');
CREATE INDEX products_ungrouped ON products (tenant_id, entity_id) WHERE (NOT is_grouped);
CREATE INDEX products_unlooked ON products (tenant_id, entity_id) WHERE (may_drift IS NULL);
CREATE INDEX products_unsearchable ON products (tenant_id) WHERE (NOT is_searchable);

CREATE TABLE product_versions (
  tenant_id uuid NOT NULL,
  entity_id bytea NOT NULL,
  -- Empty: unknown version.
  version text NOT NULL,
  device_count integer NOT NULL,
  CONSTRAINT product_versions_pkey PRIMARY KEY (tenant_id, entity_id, version)
);

-- The tenant-wide policy for an app as a whole; written by the policies feature.
CREATE TABLE product_decisions (
  tenant_id uuid NOT NULL,
  entity_id bytea NOT NULL,
  override_id uuid NOT NULL,
  approval_status text NOT NULL,
  execution_policy text NOT NULL,
  drifted_at timestamptz,
  CONSTRAINT product_decisions_pkey PRIMARY KEY (tenant_id, entity_id)
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
  scan_id uuid,
  scan_seq bigint,
  scan_batch integer,
  -- The first 8 bytes of each mentioned entity id, and of each removed one.
  named bytea,
  gone bytea,
  -- XOR of the content hashes of the mentioned entities.
  contents bytea,
  coverage jsonb,
  CONSTRAINT batches_pkey PRIMARY KEY (tenant_id, device_id, batch_id)
);
CREATE INDEX batches_by_receipt ON batches (received_at);
CREATE INDEX batches_by_scan ON batches (tenant_id, device_id, scan_seq, scan_id) WHERE (scan_id IS NOT NULL);

CREATE TABLE scans (
  tenant_id uuid NOT NULL,
  device_id uuid NOT NULL,
  scan_id uuid NOT NULL,
  seq bigint NOT NULL,
  kind text NOT NULL,
  started_at timestamptz NOT NULL,
  batches integer NOT NULL,
  finished_at timestamptz,
  -- A full scan that ended without its coverage covers everything.
  covers_all boolean DEFAULT false NOT NULL,
  received_at timestamptz NOT NULL,
  -- The scan number as the device sent it: equal in all batches of a scan.
  sent_seq bigint,
  CONSTRAINT scans_pkey PRIMARY KEY (tenant_id, device_id, scan_id)
);
CREATE INDEX scans_by_receipt ON scans (received_at);
CREATE INDEX scans_by_seq ON scans (tenant_id, device_id, seq DESC);

CREATE TABLE coverage (
  tenant_id uuid NOT NULL,
  device_id uuid NOT NULL,
  source text NOT NULL,
  -- Empty: of the machine, not of a user.
  owner text NOT NULL,
  state text NOT NULL,
  entities integer NOT NULL,
  reason text,
  scan_seq bigint NOT NULL,
  -- The last full scan that read the source completely: entities of older scans are removed.
  full_seq bigint DEFAULT '-1'::integer NOT NULL,
  at timestamptz NOT NULL,
  -- Two scans may have the same number: their coverage is stored separately.
  scan_id uuid,
  CONSTRAINT coverage_pkey PRIMARY KEY (tenant_id, device_id, source, owner)
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
  -- True if a process mapping covers the process: it is identified.
  mapped boolean DEFAULT false NOT NULL,
  is_searchable boolean DEFAULT false NOT NULL,
  CONSTRAINT unknown_processes_pkey PRIMARY KEY (tenant_id, process_id)
);
CREATE INDEX unknown_processes_by_name ON unknown_processes (tenant_id, name_folded, process_id) WHERE (NOT mapped);
CREATE INDEX unknown_processes_unsearchable ON unknown_processes (tenant_id) WHERE (NOT is_searchable);

CREATE TABLE unknown_process_sightings (
  tenant_id uuid NOT NULL,
  process_id bytea NOT NULL,
  device_id uuid NOT NULL,
  count bigint NOT NULL,
  first_seen_at timestamptz NOT NULL,
  last_seen_at timestamptz NOT NULL,
  -- The file's hash on one device is not valid for the same path on another device.
  sha256 text,
  CONSTRAINT unknown_process_sightings_pkey PRIMARY KEY (tenant_id, process_id, device_id)
);
CREATE INDEX unknown_process_sightings_by_device ON unknown_process_sightings (tenant_id, device_id, last_seen_at DESC);

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
  CONSTRAINT process_mappings_pkey PRIMARY KEY (tenant_id, mapping_id),
  CONSTRAINT process_mappings_tenant_id_name_folded_platform_match_key UNIQUE (tenant_id, name_folded, platform, match)
);

CREATE TABLE overrides (
  tenant_id uuid NOT NULL,
  override_id uuid NOT NULL,
  -- The feed number of the last change, and the version that If-Match compares.
  revision bigint NOT NULL,
  version integer NOT NULL,
  deleted boolean DEFAULT false NOT NULL,
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
  -- Set for a default policy of this kind, written by PUT default-policies.
  default_kind text,
  -- Set for an approval suspended after drift on one device; ended by a review or by the drift setting.
  drift_hold boolean DEFAULT false NOT NULL,
  product_policy_id uuid,
  CONSTRAINT overrides_pkey PRIMARY KEY (tenant_id, override_id)
);
CREATE INDEX overrides_approved_lately ON overrides (updated_at) WHERE ((approval_status = 'approved') AND (NOT deleted) AND ((match ->> 'entity_id') IS NOT NULL));
CREATE INDEX overrides_begun_lately ON overrides (effective_at) WHERE ((approval_status = 'approved') AND (NOT deleted) AND ((match ->> 'entity_id') IS NOT NULL) AND (effective_at IS NOT NULL));
CREATE INDEX overrides_by_creation ON overrides (tenant_id, created_at DESC, override_id) WHERE (NOT deleted);
CREATE INDEX overrides_by_entity ON overrides (tenant_id, ((match ->> 'entity_id'))) WHERE (NOT deleted);
CREATE INDEX overrides_by_product_policy ON overrides (tenant_id, product_policy_id) WHERE ((product_policy_id IS NOT NULL) AND (NOT deleted));
CREATE UNIQUE INDEX overrides_by_revision ON overrides (tenant_id, revision);
CREATE INDEX overrides_by_target ON overrides (tenant_id, scope_kind, scope_id, md5((match)::text)) WHERE (NOT deleted);
CREATE INDEX overrides_drift_holds ON overrides (tenant_id, override_id) WHERE (drift_hold AND (NOT deleted));
CREATE INDEX overrides_history ON overrides (tenant_id, created_at DESC, override_id);
CREATE INDEX overrides_timed ON overrides (tenant_id) WHERE ((NOT deleted) AND (scope_kind = 'tenant') AND ((match ->> 'entity_id') IS NOT NULL) AND ((effective_at IS NOT NULL) OR (expires_at IS NOT NULL)));

-- Scope exits of an override since a revision: these devices get the override as deleted.
CREATE TABLE override_departures (
  tenant_id uuid NOT NULL,
  revision bigint NOT NULL,
  override_id uuid NOT NULL,
  scope_kind text NOT NULL,
  scope_id text NOT NULL,
  -- The devices that the rollout had admitted; no other device needs the tombstone.
  rollout_percent integer DEFAULT 100 NOT NULL,
  CONSTRAINT override_departures_pkey PRIMARY KEY (tenant_id, revision, override_id)
);

CREATE TABLE activity_ids (
  tenant_id uuid NOT NULL,
  activity_id uuid NOT NULL,
  received_on date NOT NULL,
  device_id uuid NOT NULL,
  CONSTRAINT activity_ids_pkey PRIMARY KEY (tenant_id, activity_id, device_id)
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
  CONSTRAINT activity_pkey PRIMARY KEY (tenant_id, received_on, activity_id, device_id)
)
PARTITION BY RANGE (received_on);
CREATE TABLE activity_default PARTITION OF activity DEFAULT;
CREATE INDEX activity_by_device ON activity (tenant_id, device_id, received_at DESC);
CREATE INDEX activity_by_entity ON activity (tenant_id, entity_id, received_at DESC);
CREATE INDEX activity_by_time ON activity (tenant_id, decided_at DESC, activity_id);

CREATE TABLE alert_ids (
  tenant_id uuid NOT NULL,
  alert_id uuid NOT NULL,
  received_on date NOT NULL,
  -- Ids from devices are unique per device only, so that no device can suppress the events of another.
  device_id uuid NOT NULL,
  CONSTRAINT alert_ids_pkey PRIMARY KEY (tenant_id, alert_id, device_id)
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
  -- The assignee of the alert: an e-mail address, like the acknowledging user.
  assigned_to text,
  assigned_at timestamptz,
  -- The result of the alert; null while it is open, or only acknowledged.
  resolution text,
  resolution_comment text,
  CONSTRAINT alerts_resolution_check CHECK (resolution IN ('false_positive', 'expected', 'fixed')),
  CONSTRAINT alerts_pkey PRIMARY KEY (tenant_id, received_on, alert_id, device_id)
)
PARTITION BY RANGE (received_on);
CREATE TABLE alerts_default PARTITION OF alerts DEFAULT;
CREATE INDEX alerts_assigned ON alerts (tenant_id, lower(assigned_to), received_at DESC, alert_id) WHERE (assigned_to IS NOT NULL);
CREATE INDEX alerts_by_event_time ON alerts (tenant_id, occurred_at DESC, alert_id);
CREATE INDEX alerts_by_time ON alerts (tenant_id, received_at DESC, alert_id);
CREATE INDEX alerts_with_code ON alerts (tenant_id, code, received_at DESC, alert_id) WHERE (code IS NOT NULL);
CREATE INDEX alerts_open ON alerts (tenant_id, received_at DESC, alert_id) WHERE (acknowledged_at IS NULL);
CREATE INDEX alerts_open_by_event_time ON alerts (tenant_id, occurred_at DESC, alert_id) WHERE (acknowledged_at IS NULL);
CREATE INDEX alerts_open_by_severity ON alerts (tenant_id, severity, received_at DESC, alert_id) WHERE (acknowledged_at IS NULL);

-- Notification channels, and each delivery with its outcome.
CREATE TABLE notification_channels (
  tenant_id uuid NOT NULL,
  channel_id uuid NOT NULL,
  -- The version that If-Match compares. Deliveries change the health without changing the version.
  version integer NOT NULL,
  kind text NOT NULL,
  name text NOT NULL,
  -- For webhook and chat: the sealed URL, and the part of the URL that users see.
  url_sealed text,
  url_hint text,
  -- For e-mail: the addresses.
  recipients jsonb,
  secret_sealed text,
  -- During a rotation, messages are signed with both secrets.
  previous_secret_sealed text,
  previous_secret_until timestamptz,
  min_severity text NOT NULL,
  group_id uuid,
  enabled boolean NOT NULL,
  -- The target responded with 410; the hub disabled the channel.
  gone boolean DEFAULT false NOT NULL,
  last_attempt_at timestamptz,
  last_delivered_at timestamptz,
  last_status integer,
  last_error text,
  failing_since timestamptz,
  gave_up_at timestamptz,
  created_at timestamptz NOT NULL,
  created_by text NOT NULL,
  updated_at timestamptz NOT NULL,
  updated_by text NOT NULL,
  -- Messages per minute before a digest; null: every alert is sent separately.
  digest_after integer,
  -- The id of the last rotation: a repeated request returns the same secret.
  rotation_id uuid,
  -- True if the channel sends access requests to reviewers, too.
  access_requests boolean DEFAULT false NOT NULL,
  -- The chat system of the message format; null: derived from the URL.
  format text,
  CONSTRAINT notification_channels_digest_after_check CHECK (((digest_after >= 1) AND (digest_after <= 1000))),
  CONSTRAINT notification_channels_format_check CHECK (format IN ('teams', 'slack', 'google_chat', 'pagerduty', 'mattermost')),
  CONSTRAINT notification_channels_pkey PRIMARY KEY (tenant_id, channel_id)
);

CREATE TABLE notification_deliveries (
  tenant_id uuid NOT NULL,
  delivery_id uuid NOT NULL,
  -- The target is a channel, or an e-mail address or webhook of a gateway app.
  channel_id uuid,
  app_id uuid,
  app_target_kind text,
  -- The address, or the id of the app's webhook.
  app_target text,
  -- The content of an app alert.
  facts jsonb,
  -- A test and an app alert have an id of their own here and the nil UUID as device.
  alert_id uuid NOT NULL,
  device_id uuid NOT NULL,
  is_test boolean NOT NULL,
  state text NOT NULL,
  attempts integer DEFAULT 0 NOT NULL,
  -- A hub process sends the delivery until this time; later the process counts as dead.
  claimed_until timestamptz,
  -- Recipients that a mail server has not accepted yet; null: all.
  recipients_left jsonb,
  last_status integer,
  last_error text,
  created_at timestamptz NOT NULL,
  last_attempt_at timestamptz,
  next_attempt_at timestamptz,
  delivered_at timestamptz,
  severity text,
  -- For a digest: the number of its alerts. A digest has an id of its own as alert and the nil UUID as device.
  digest_alerts integer,
  -- For an alert in a digest: the digest. Such an alert has no attempts of its own.
  digest_id uuid,
  subject text DEFAULT 'alert' NOT NULL,
  -- The attempts before the last retry by a user. `attempts` itself only grows, so that a sender can verify its claim.
  earlier_attempts integer DEFAULT 0 NOT NULL,
  CONSTRAINT notification_deliveries_target_check CHECK ((channel_id IS NULL) <> (app_id IS NULL)),
  CONSTRAINT notification_deliveries_app_target_kind_check CHECK (app_target_kind IN ('email', 'webhook')),
  CONSTRAINT notification_deliveries_state_check CHECK (state IN ('pending', 'delivered', 'failed')),
  CONSTRAINT notification_deliveries_pkey PRIMARY KEY (tenant_id, delivery_id)
);
CREATE INDEX notification_deliveries_by_age ON notification_deliveries (created_at);
CREATE INDEX notification_deliveries_by_digest ON notification_deliveries (tenant_id, digest_id) WHERE (digest_id IS NOT NULL);
CREATE INDEX notification_deliveries_by_time ON notification_deliveries (tenant_id, channel_id, created_at DESC, delivery_id);
CREATE INDEX notification_deliveries_due ON notification_deliveries (next_attempt_at) WHERE (state = 'pending');
CREATE UNIQUE INDEX notification_deliveries_once ON notification_deliveries (tenant_id, channel_id, alert_id, device_id);

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
  -- The rule of a dynamic group; null for a static group.
  rule jsonb,
  CONSTRAINT device_groups_pkey PRIMARY KEY (tenant_id, group_id),
  CONSTRAINT device_groups_tenant_id_name_folded_key UNIQUE (tenant_id, name_folded)
);

CREATE TABLE device_group_members (
  tenant_id uuid NOT NULL,
  group_id uuid NOT NULL,
  device_id uuid NOT NULL,
  -- The feed number of the join: from then on the policies of the group apply to the device.
  revision bigint NOT NULL,
  added_at timestamptz NOT NULL,
  added_by text NOT NULL,
  CONSTRAINT device_group_members_pkey PRIMARY KEY (tenant_id, group_id, device_id)
);
CREATE INDEX device_group_members_by_device ON device_group_members (tenant_id, device_id);
CREATE INDEX device_group_members_by_joining ON device_group_members (added_at);
CREATE INDEX device_group_members_by_revision ON device_group_members (tenant_id, revision);

-- Devices that left a group since a revision get the policies of the group as deleted.
CREATE TABLE device_group_departures (
  tenant_id uuid NOT NULL,
  revision bigint NOT NULL,
  group_id uuid NOT NULL,
  device_id uuid NOT NULL,
  CONSTRAINT device_group_departures_pkey PRIMARY KEY (tenant_id, revision, group_id, device_id)
);

CREATE TABLE override_rollouts (
  tenant_id uuid NOT NULL,
  override_id uuid NOT NULL,
  state text NOT NULL,
  rings jsonb NOT NULL,
  limits jsonb NOT NULL,
  -- The current ring, from 0.
  ring integer NOT NULL,
  ring_started_at timestamptz NOT NULL,
  -- Blocks and offline devices count from here: the start, or the last time a user resumed the rollout.
  watched_since timestamptz NOT NULL,
  -- The last check by a hub, and the start of the current series of checks without a gap.
  checked_at timestamptz NOT NULL,
  reachable_since timestamptz NOT NULL,
  stopped_reason text,
  started_at timestamptz NOT NULL,
  started_by text NOT NULL,
  updated_at timestamptz NOT NULL,
  updated_by text NOT NULL,
  CONSTRAINT override_rollouts_pkey PRIMARY KEY (tenant_id, override_id)
);
CREATE INDEX override_rollouts_running ON override_rollouts (tenant_id, override_id) WHERE (state = 'running');

-- A tenant without a row has never set any.
CREATE TABLE default_policies (
  tenant_id uuid NOT NULL,
  version integer NOT NULL,
  updated_at timestamptz NOT NULL,
  updated_by text NOT NULL,
  CONSTRAINT default_policies_pkey PRIMARY KEY (tenant_id)
);

-- Running processes as the device last reported them: a row per program.
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
  CONSTRAINT running_processes_pkey PRIMARY KEY (tenant_id, device_id, process_id)
);
CREATE INDEX running_processes_by_entity ON running_processes USING gin (entity_ids);
CREATE INDEX running_processes_by_name ON running_processes (tenant_id, name_folded);

-- Devices that report running processes; for other devices the process map decides.
CREATE TABLE running_reports (
  tenant_id uuid NOT NULL,
  device_id uuid NOT NULL,
  at timestamptz NOT NULL,
  CONSTRAINT running_reports_pkey PRIMARY KEY (tenant_id, device_id)
);

-- Drift: changed launches or permissions of an approved app on a device since the approval.
CREATE TABLE product_drifts (
  tenant_id uuid NOT NULL,
  entity_id bytea NOT NULL,
  device_id uuid NOT NULL,
  since timestamptz NOT NULL,
  launch_changed boolean NOT NULL,
  -- The permissions that the app did not have before.
  new_permissions text[] NOT NULL,
  -- The launch and the permissions before the drift; null if unknown.
  former jsonb,
  CONSTRAINT product_drifts_pkey PRIMARY KEY (tenant_id, entity_id, device_id)
);

-- The number of alerts of a channel in the current minute.
CREATE TABLE channel_meters (
  tenant_id uuid NOT NULL,
  channel_id uuid NOT NULL,
  window_started_at timestamptz NOT NULL,
  alerts integer NOT NULL,
  -- The previous minute exceeded the limit: this minute sends digests from its start.
  is_batching boolean NOT NULL,
  digest_id uuid,
  CONSTRAINT channel_meters_pkey PRIMARY KEY (tenant_id, channel_id)
);

-- The number of a feed at a point in time.
CREATE TABLE feed_marks (
  tenant_id uuid NOT NULL,
  topic text NOT NULL,
  n bigint NOT NULL,
  at timestamptz NOT NULL,
  CONSTRAINT feed_marks_pkey PRIMARY KEY (tenant_id, topic, n)
);

-- Opt-in and management keys, looked up by a key's hash before the tenant is known: not distributed.
CREATE TABLE management_settings (
  tenant_id uuid NOT NULL,
  enabled boolean NOT NULL,
  version integer NOT NULL,
  CONSTRAINT management_settings_pkey PRIMARY KEY (tenant_id)
);

CREATE TABLE management_keys (
  tenant_id uuid NOT NULL,
  key_id uuid NOT NULL,
  secret_hash bytea NOT NULL,
  fingerprint text NOT NULL,
  name text NOT NULL,
  scopes text[] NOT NULL,
  creator jsonb NOT NULL,
  created_at timestamptz DEFAULT now() NOT NULL,
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  last_used_from text,
  version integer DEFAULT 1 NOT NULL,
  CONSTRAINT management_keys_pkey PRIMARY KEY (tenant_id, key_id),
  CONSTRAINT management_keys_secret_hash_key UNIQUE (secret_hash)
);
CREATE INDEX management_keys_by_age ON management_keys (tenant_id, created_at, key_id);

-- A row for the installation: nodes of all tenants read changes in commit order. Not distributed.
CREATE TABLE configuration_feed (
  one boolean DEFAULT true NOT NULL,
  n bigint NOT NULL,
  CONSTRAINT configuration_feed_one_check CHECK (one),
  CONSTRAINT configuration_feed_pkey PRIMARY KEY (one)
);

-- The configuration that nodes read, and the number of the last change.
CREATE TABLE configuration_items (
  tenant_id uuid NOT NULL,
  kind text NOT NULL,
  id text NOT NULL COLLATE pg_catalog."C",
  revision bigint NOT NULL,
  deleted boolean DEFAULT false NOT NULL,
  CONSTRAINT configuration_items_kind_check CHECK (kind IN ('settings', 'provider', 'app', 'key', 'prompt', 'smart_group', 'custom_definition', 'category')),
  CONSTRAINT configuration_items_pkey PRIMARY KEY (tenant_id, kind, id)
);
CREATE INDEX configuration_items_by_revision ON configuration_items (revision, tenant_id, kind, id);
CREATE INDEX configuration_items_by_tenant ON configuration_items (tenant_id, revision, kind, id);

-- The version of a list's membership; an older cursor is refused.
CREATE TABLE collection_versions (
  tenant_id uuid NOT NULL,
  collection text NOT NULL,
  n bigint NOT NULL,
  CONSTRAINT collection_versions_pkey PRIMARY KEY (tenant_id, collection)
);

CREATE TABLE providers (
  tenant_id uuid NOT NULL,
  label text NOT NULL COLLATE pg_catalog."C",
  provider_name text NOT NULL,
  enabled boolean NOT NULL,
  settings jsonb NOT NULL,
  -- The secret settings as a sealed JSON document; null without any.
  sealed_settings text,
  selected_models jsonb NOT NULL,
  model_costs jsonb NOT NULL,
  version integer DEFAULT 1 NOT NULL,
  created_at timestamptz DEFAULT now() NOT NULL,
  updated_at timestamptz DEFAULT now() NOT NULL,
  CONSTRAINT providers_pkey PRIMARY KEY (tenant_id, label)
);

-- The last test of a provider, as an administrator or a management key requested it.
CREATE TABLE provider_tests (
  tenant_id uuid NOT NULL,
  label text NOT NULL COLLATE pg_catalog."C",
  -- The version of the provider that was tested.
  provider_version integer NOT NULL,
  kind text NOT NULL,
  model text,
  outcome text NOT NULL,
  -- The reason of a test that did not pass.
  code text,
  latency_ms integer,
  completed_at timestamptz NOT NULL,
  CONSTRAINT provider_tests_kind_check CHECK (kind IN ('connection', 'model')),
  CONSTRAINT provider_tests_outcome_check CHECK (outcome IN ('passed', 'failed', 'unsupported')),
  CONSTRAINT provider_tests_pkey PRIMARY KEY (tenant_id, label)
);

CREATE TABLE apps (
  tenant_id uuid NOT NULL,
  app_id uuid NOT NULL,
  name text NOT NULL,
  name_folded text NOT NULL COLLATE pg_catalog."C",
  -- True for an app that an operator imported; the rule of unique names does not apply to it.
  import_id text,
  mode text NOT NULL,
  enabled boolean NOT NULL,
  provider_labels jsonb NOT NULL,
  tags jsonb NOT NULL,
  config jsonb NOT NULL,
  -- Webhook URLs by webhook id, as a sealed JSON document; null without any.
  sealed_urls text,
  -- For a legacy app: its own providers, public part and sealed credentials.
  inline_providers jsonb,
  sealed_inline text,
  -- The configuration when policy authority was applied, and the models that it allows by default.
  policy_baseline jsonb,
  version integer DEFAULT 1 NOT NULL,
  created_at timestamptz DEFAULT now() NOT NULL,
  updated_at timestamptz DEFAULT now() NOT NULL,
  -- Apps are searched by a part of their name, like discovered apps: a new app waits for the index job.
  is_searchable boolean DEFAULT false NOT NULL,
  CONSTRAINT apps_mode_check CHECK (mode IN ('gateway', 'sdk', 'vendorB_studio')),
  CONSTRAINT apps_pkey PRIMARY KEY (tenant_id, app_id)
);
CREATE INDEX apps_by_name ON apps (tenant_id, name_folded, app_id);
CREATE UNIQUE INDEX apps_import ON apps (tenant_id, import_id) WHERE (import_id IS NOT NULL);
CREATE UNIQUE INDEX apps_name ON apps (tenant_id, name_folded) WHERE (import_id IS NULL);
CREATE INDEX apps_unsearchable ON apps (tenant_id) WHERE (NOT is_searchable);

CREATE TABLE app_keys (
  tenant_id uuid NOT NULL,
  app_id uuid NOT NULL,
  key_id uuid NOT NULL,
  name text NOT NULL,
  name_folded text NOT NULL COLLATE pg_catalog."C",
  secret_hash bytea NOT NULL,
  sealed_secret text NOT NULL,
  fingerprint text NOT NULL,
  creator jsonb NOT NULL,
  created_at timestamptz DEFAULT now() NOT NULL,
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  last_used_from text,
  version integer DEFAULT 1 NOT NULL,
  CONSTRAINT app_keys_pkey PRIMARY KEY (tenant_id, key_id)
);
CREATE INDEX app_keys_by_age ON app_keys (tenant_id, app_id, created_at, key_id);
CREATE UNIQUE INDEX app_keys_name ON app_keys (tenant_id, app_id, name_folded) WHERE (revoked_at IS NULL);

CREATE TABLE prompts (
  tenant_id uuid NOT NULL,
  app_id uuid NOT NULL,
  prompt_id text NOT NULL COLLATE pg_catalog."C",
  content text NOT NULL,
  created_at timestamptz DEFAULT now() NOT NULL,
  updated_at timestamptz DEFAULT now() NOT NULL,
  CONSTRAINT prompts_pkey PRIMARY KEY (tenant_id, app_id, prompt_id)
);

CREATE TABLE app_versions (
  tenant_id uuid NOT NULL,
  app_id uuid NOT NULL,
  -- The app version that the change created.
  app_version integer NOT NULL,
  version_id uuid NOT NULL,
  created_at timestamptz DEFAULT now() NOT NULL,
  actor jsonb NOT NULL,
  operation text NOT NULL,
  changed jsonb NOT NULL,
  previous_config jsonb NOT NULL,
  new_config jsonb NOT NULL,
  CONSTRAINT app_versions_pkey PRIMARY KEY (tenant_id, app_id, app_version)
);
CREATE UNIQUE INDEX app_versions_by_id ON app_versions (tenant_id, version_id);

-- The intent of a configuration write, stored before it runs.
CREATE TABLE operations (
  tenant_id uuid NOT NULL,
  operation_id uuid NOT NULL,
  principal text NOT NULL,
  kind text NOT NULL,
  state text NOT NULL,
  app_id uuid,
  request_id text NOT NULL,
  -- The sealed request while it may be repeated; null after its end.
  sealed_input text,
  created_at timestamptz DEFAULT now() NOT NULL,
  ended_at timestamptz,
  CONSTRAINT operations_state_check CHECK (state IN ('pending', 'completed', 'failed', 'superseded')),
  CONSTRAINT operations_pkey PRIMARY KEY (tenant_id, operation_id)
);
CREATE INDEX operations_by_age ON operations (created_at);

CREATE TABLE idempotency_keys (
  tenant_id uuid NOT NULL,
  principal text NOT NULL,
  operation text NOT NULL,
  key_hash bytea NOT NULL,
  fingerprint bytea NOT NULL,
  operation_id uuid NOT NULL,
  -- The owner of the claim; a repeat after the lease takes it over.
  holder uuid NOT NULL,
  lease_until timestamptz NOT NULL,
  -- The sealed response of a finished creation, because it may contain a secret; erased after a day.
  status integer,
  sealed_answer text,
  claimed_at timestamptz DEFAULT now() NOT NULL,
  finished_at timestamptz,
  CONSTRAINT idempotency_keys_pkey PRIMARY KEY (tenant_id, principal, operation, key_hash)
);
CREATE INDEX idempotency_keys_finished ON idempotency_keys (finished_at) WHERE (sealed_answer IS NOT NULL);

CREATE TABLE smart_groups (
  tenant_id uuid NOT NULL,
  group_name text NOT NULL COLLATE pg_catalog."C",
  doc jsonb NOT NULL,
  CONSTRAINT smart_groups_pkey PRIMARY KEY (tenant_id, group_name)
);

CREATE TABLE custom_definitions (
  tenant_id uuid NOT NULL,
  definition_id text NOT NULL COLLATE pg_catalog."C",
  doc jsonb NOT NULL,
  CONSTRAINT custom_definitions_pkey PRIMARY KEY (tenant_id, definition_id)
);

-- Imported detection categories, added to the built-in ones; an imported name replaces the built-in category.
CREATE TABLE detection_categories (
  tenant_id uuid NOT NULL,
  category_id text NOT NULL COLLATE pg_catalog."C",
  doc jsonb NOT NULL,
  CONSTRAINT detection_categories_pkey PRIMARY KEY (tenant_id, category_id)
);

CREATE TABLE policy_authority (
  tenant_id uuid NOT NULL,
  enabled boolean NOT NULL,
  active_revision text,
  active_checksum text,
  CONSTRAINT policy_authority_pkey PRIMARY KEY (tenant_id)
);

-- Gateway nodes. Their tokens may be for all tenants and are looked up before the tenant is known: not distributed.
CREATE TABLE node_tokens (
  token_id uuid NOT NULL,
  token_hash bytea NOT NULL,
  -- Null: all tenants.
  tenant_id uuid,
  name text NOT NULL,
  created_at timestamptz DEFAULT now() NOT NULL,
  expires_at timestamptz,
  revoked_at timestamptz,
  CONSTRAINT node_tokens_pkey PRIMARY KEY (token_id),
  CONSTRAINT node_tokens_token_hash_key UNIQUE (token_hash)
);

-- Deliveries to nodes, separate from the audit log of tenants.
CREATE TABLE node_deliveries (
  delivery_id bigint GENERATED ALWAYS AS IDENTITY,
  token_id uuid NOT NULL,
  at timestamptz DEFAULT now() NOT NULL,
  revision bigint NOT NULL,
  items integer NOT NULL,
  credentials integer NOT NULL,
  CONSTRAINT node_deliveries_pkey PRIMARY KEY (delivery_id)
);
CREATE INDEX node_deliveries_by_age ON node_deliveries (at);

-- Running processes of nodes, with the time of their last poll, and whether a model checks content there.
CREATE TABLE node_instances (
  token_id uuid NOT NULL,
  instance_id text NOT NULL,
  polled_at timestamptz NOT NULL,
  has_model_checks boolean DEFAULT false NOT NULL,
  CONSTRAINT node_instances_pkey PRIMARY KEY (token_id, instance_id)
);

-- The log settings of a tenant; without a row everything is stored for 15 days.
CREATE TABLE log_settings (
  tenant_id uuid NOT NULL,
  store_payloads boolean NOT NULL,
  retention_days integer NOT NULL,
  version integer DEFAULT 1 NOT NULL,
  CONSTRAINT log_settings_retention_days_check CHECK (((retention_days >= 1) AND (retention_days <= 15))),
  CONSTRAINT log_settings_pkey PRIMARY KEY (tenant_id)
);

-- The cost of requests by month and app, which outlives the retention of rows.
CREATE TABLE llm_spend (
  tenant_id uuid NOT NULL,
  -- The first day of the month in UTC in which the rows were stored.
  month date NOT NULL,
  -- The nil UUID for apps unknown to the hub.
  app_id uuid NOT NULL,
  cost_usd double precision NOT NULL,
  CONSTRAINT llm_spend_pkey PRIMARY KEY (tenant_id, month, app_id)
);

CREATE TABLE llm_budgets (
  tenant_id uuid NOT NULL,
  -- organization, or the id of an app.
  scope text NOT NULL COLLATE pg_catalog."C",
  monthly_usd double precision NOT NULL,
  blocks boolean NOT NULL,
  -- The month of the last evaluation; null before the first.
  state_month date,
  notified_percent integer DEFAULT 0 NOT NULL,
  is_exhausted boolean DEFAULT false NOT NULL,
  version integer DEFAULT 1 NOT NULL,
  CONSTRAINT llm_budgets_pkey PRIMARY KEY (tenant_id, scope)
);

CREATE TABLE llm_budget_notices (
  tenant_id uuid NOT NULL,
  notice_id uuid NOT NULL,
  scope text NOT NULL,
  month date NOT NULL,
  percent integer NOT NULL,
  spent_usd double precision NOT NULL,
  monthly_usd double precision NOT NULL,
  blocks boolean NOT NULL,
  created_at timestamptz NOT NULL,
  CONSTRAINT llm_budget_notices_pkey PRIMARY KEY (tenant_id, notice_id)
);

-- Prices of models that an organization set, by model.
CREATE TABLE llm_prices (
  tenant_id uuid NOT NULL,
  overrides jsonb NOT NULL,
  version integer NOT NULL,
  CONSTRAINT llm_prices_pkey PRIMARY KEY (tenant_id)
);

CREATE TABLE llm_requests (
  tenant_id uuid NOT NULL,
  -- Truncated to milliseconds.
  at timestamptz NOT NULL,
  request_id text NOT NULL COLLATE pg_catalog."C",
  -- Null for an app unknown to the hub.
  app_id uuid,
  app_name text NOT NULL,
  -- Folded, as reported by the gateway, and as contained in the request.
  user_email text,
  extra_email text,
  conversation_id text,
  model text,
  provider text,
  status_code integer,
  is_failed boolean NOT NULL,
  is_blocked boolean NOT NULL,
  is_anonymized boolean NOT NULL,
  -- The guardrail findings as bits (features/logs/rows/findings.ts), then the identifiers; null without any.
  findings integer NOT NULL,
  categories text[],
  tokens_request bigint,
  tokens_response bigint,
  tokens_cache_read bigint NOT NULL,
  -- In US dollars by the prices at arrival; null without a price.
  cost_usd double precision,
  received_at timestamptz NOT NULL,
  redaction_version smallint NOT NULL,
  event_bytes integer NOT NULL,
  -- The exported event without type, schema_version and cursor, as JSON text.
  event text NOT NULL,
  -- The reasons of a decision are stored with the row, because rules change, and so is the node that sent the row.
  -- Neither is exported.
  node_id uuid,
  CONSTRAINT llm_requests_pkey PRIMARY KEY (tenant_id, at, request_id)
)
PARTITION BY RANGE (at);
CREATE INDEX llm_requests_by_app ON llm_requests (tenant_id, app_id, at, request_id);
CREATE INDEX llm_requests_by_conversation ON llm_requests (tenant_id, conversation_id, at) WHERE (conversation_id IS NOT NULL);
CREATE INDEX llm_requests_by_user ON llm_requests (tenant_id, user_email, at) WHERE (user_email IS NOT NULL);

-- Deduplicates requests over all days. The id is stored as 16 bytes of its SHA-256.
CREATE TABLE llm_request_ids (
  tenant_id uuid NOT NULL,
  id_hash uuid NOT NULL,
  at timestamptz NOT NULL,
  CONSTRAINT llm_request_ids_pkey PRIMARY KEY (tenant_id, id_hash)
);
CREATE INDEX llm_request_ids_by_time ON llm_request_ids USING brin (at);

CREATE TABLE mcp_backends (
  tenant_id uuid NOT NULL,
  backend_id uuid NOT NULL,
  slug text NOT NULL COLLATE pg_catalog."C",
  name text NOT NULL,
  name_folded text NOT NULL COLLATE pg_catalog."C",
  url text NOT NULL,
  auth jsonb NOT NULL,
  disabled_at timestamptz,
  version integer DEFAULT 1 NOT NULL,
  created_at timestamptz DEFAULT now() NOT NULL,
  updated_at timestamptz DEFAULT now() NOT NULL,
  -- The tools that may be listed and called: {allow: [pattern], deny: [pattern]}; null: all.
  tools jsonb,
  -- For `auth.kind` shared: the credential that the gateway sends, write-only.
  sealed_auth text,
  -- Whether a tool that differs from its pin is flagged, or hidden until a review.
  drift text DEFAULT 'flag' NOT NULL,
  -- The keys of the same server on devices without the gateway, such as `npm:<package>`.
  same_as jsonb DEFAULT '[]'::jsonb NOT NULL,
  idle_timeout_seconds integer DEFAULT 300 NOT NULL,
  total_timeout_seconds integer DEFAULT 3600 NOT NULL,
  -- The names of the headers sent with each request, in order.
  header_names jsonb DEFAULT '[]'::jsonb NOT NULL,
  -- The header values by lower-case name, write-only; null without any.
  sealed_headers text,
  CONSTRAINT mcp_backends_drift_check CHECK (drift IN ('flag', 'hide')),
  CONSTRAINT mcp_backends_idle_timeout_seconds_check CHECK (((idle_timeout_seconds >= 1) AND (idle_timeout_seconds <= 86400))),
  CONSTRAINT mcp_backends_total_timeout_seconds_check CHECK (((total_timeout_seconds >= 1) AND (total_timeout_seconds <= 86400))),
  CONSTRAINT mcp_backends_pkey PRIMARY KEY (tenant_id, backend_id)
);
CREATE UNIQUE INDEX mcp_backends_slug ON mcp_backends (tenant_id, slug);

CREATE TABLE mcp_tool_calls (
  tenant_id uuid NOT NULL,
  -- The start, in microseconds.
  at timestamptz NOT NULL,
  log_id bigint NOT NULL,
  event_id uuid NOT NULL,
  backend_id uuid,
  backend_name text NOT NULL,
  user_email text,
  extra_email text,
  conversation_id text,
  rpc_id text,
  tool_name text,
  is_blocked boolean NOT NULL,
  is_completed boolean NOT NULL,
  success boolean,
  received_at timestamptz NOT NULL,
  redaction_version smallint NOT NULL,
  event_bytes integer NOT NULL,
  event text NOT NULL,
  node_id uuid,
  decided jsonb,
  -- Findings and blocks in resources, prompts and completions. The method; null: a tool call, which alone is exported.
  method text,
  CONSTRAINT mcp_tool_calls_pkey PRIMARY KEY (tenant_id, at, log_id)
)
PARTITION BY RANGE (at);
CREATE INDEX mcp_tool_calls_by_backend ON mcp_tool_calls (tenant_id, backend_id, at, log_id);
CREATE INDEX mcp_tool_calls_by_user ON mcp_tool_calls (tenant_id, user_email, at) WHERE (user_email IS NOT NULL);

CREATE TABLE mcp_tool_call_ids (
  tenant_id uuid NOT NULL,
  event_id uuid NOT NULL,
  at timestamptz NOT NULL,
  CONSTRAINT mcp_tool_call_ids_pkey PRIMARY KEY (tenant_id, event_id)
);
CREATE INDEX mcp_tool_call_ids_by_time ON mcp_tool_call_ids USING brin (at);

-- Export keys, looked up by hash before the tenant is known: not distributed.
CREATE TABLE log_export_keys (
  tenant_id uuid NOT NULL,
  key_id uuid NOT NULL,
  scope text NOT NULL,
  -- For the scopes app and backend.
  app_id uuid,
  backend_id uuid,
  secret_hash bytea NOT NULL,
  sealed_secret text NOT NULL,
  fingerprint text NOT NULL,
  name text NOT NULL,
  creator jsonb NOT NULL,
  created_at timestamptz DEFAULT now() NOT NULL,
  expires_at timestamptz,
  revoked_at timestamptz,
  version integer DEFAULT 1 NOT NULL,
  last_used_at timestamptz,
  -- The position that the collector has read.
  read_up_to timestamptz,
  CONSTRAINT log_export_keys_scope_check CHECK (scope IN ('app', 'all_apps', 'backend', 'all_backends')),
  CONSTRAINT log_export_keys_pkey PRIMARY KEY (tenant_id, key_id),
  CONSTRAINT log_export_keys_secret_hash_key UNIQUE (secret_hash)
);
CREATE INDEX log_export_keys_by_age ON log_export_keys (tenant_id, created_at, key_id);
CREATE INDEX log_export_keys_in_use ON log_export_keys (last_used_at) WHERE (revoked_at IS NULL);

-- Alerting of apps: failing apps, and the messages about them.
CREATE TABLE app_alert_states (
  tenant_id uuid NOT NULL,
  app_id uuid NOT NULL,
  level text NOT NULL,
  -- Empty for the level app.
  provider text NOT NULL,
  is_failing boolean NOT NULL,
  changed_at timestamptz NOT NULL,
  -- The last message about the failure, from which the cooldown counts.
  raised_at timestamptz NOT NULL,
  version integer DEFAULT 1 NOT NULL,
  CONSTRAINT app_alert_states_level_check CHECK (level IN ('app', 'provider')),
  CONSTRAINT app_alert_states_pkey PRIMARY KEY (tenant_id, app_id, level, provider)
);

-- The tenant's settings for MCP clients. Lists are JSON arrays of text.
CREATE TABLE mcp_settings (
  tenant_id uuid NOT NULL,
  -- Empty: every member.
  allowed_email_domains jsonb NOT NULL,
  company_domain_aliases jsonb NOT NULL,
  -- host/path of https redirect URIs, and schemes of applications.
  redirect_https jsonb NOT NULL,
  redirect_schemes jsonb NOT NULL,
  allowed_origins jsonb NOT NULL,
  version integer DEFAULT 1 NOT NULL,
  updated_at timestamptz DEFAULT now() NOT NULL,
  -- Hosted clients that the tenant enables by name, in addition to its own list of addresses.
  redirect_clients jsonb DEFAULT '[]'::jsonb NOT NULL,
  CONSTRAINT mcp_settings_pkey PRIMARY KEY (tenant_id)
);

-- Rows of the OAuth server, looked up by hash before the tenant is known, like sessions.
CREATE TABLE mcp_redirect_uris (
  namespace text NOT NULL,
  redirect_uri text NOT NULL,
  client_name text,
  registered_at timestamptz DEFAULT now() NOT NULL,
  -- Redirect URIs that were used for a sign-in: they are retained if too many others are registered.
  used_at timestamptz,
  CONSTRAINT mcp_redirect_uris_pkey PRIMARY KEY (namespace, redirect_uri)
);
CREATE INDEX mcp_redirect_uris_by_age ON mcp_redirect_uris (registered_at);

-- The state between the client's request and the code.
CREATE TABLE mcp_authorizations (
  request_hash bytea NOT NULL,
  namespace text NOT NULL,
  asked jsonb NOT NULL,
  -- Hashes of the browser's cookie: before the consent, and at the approval.
  browser_hash bytea NOT NULL,
  csrf_hash bytea NOT NULL,
  approved_at timestamptz,
  expires_at timestamptz NOT NULL,
  CONSTRAINT mcp_authorizations_pkey PRIMARY KEY (request_hash)
);
CREATE INDEX mcp_authorizations_by_end ON mcp_authorizations (expires_at);

CREATE TABLE mcp_codes (
  code_hash bytea NOT NULL,
  namespace text NOT NULL,
  asked jsonb NOT NULL,
  tenant_id uuid,
  user_id uuid,
  email text NOT NULL,
  expires_at timestamptz NOT NULL,
  used_at timestamptz,
  token_id uuid,
  CONSTRAINT mcp_codes_pkey PRIMARY KEY (code_hash)
);
CREATE INDEX mcp_codes_by_end ON mcp_codes (expires_at);

CREATE TABLE mcp_tokens (
  token_hash bytea NOT NULL,
  token_id uuid NOT NULL,
  namespace text NOT NULL,
  -- Null: a token of the root, which grants only userinfo.
  tenant_id uuid,
  user_id uuid,
  email text NOT NULL,
  email_folded text NOT NULL,
  client_name text,
  redirect_host text NOT NULL,
  created_at timestamptz DEFAULT now() NOT NULL,
  last_used_at timestamptz,
  revoked_at timestamptz,
  CONSTRAINT mcp_tokens_pkey PRIMARY KEY (token_hash),
  CONSTRAINT mcp_tokens_token_id_key UNIQUE (token_id)
);
CREATE INDEX mcp_tokens_by_person ON mcp_tokens (tenant_id, email_folded, created_at);

-- Tokens for clients without OAuth, for one backend and agent.
CREATE TABLE mcp_api_tokens (
  tenant_id uuid NOT NULL,
  token_id uuid NOT NULL,
  token_hash bytea NOT NULL,
  backend_id uuid NOT NULL,
  name text NOT NULL,
  agent text NOT NULL,
  whole_header boolean NOT NULL,
  fingerprint text NOT NULL,
  creator jsonb NOT NULL,
  created_at timestamptz DEFAULT now() NOT NULL,
  expires_at timestamptz,
  last_used_at timestamptz,
  revoked_at timestamptz,
  CONSTRAINT mcp_api_tokens_pkey PRIMARY KEY (tenant_id, token_id)
);
CREATE INDEX mcp_api_tokens_by_backend ON mcp_api_tokens (tenant_id, backend_id, created_at);
CREATE INDEX mcp_api_tokens_by_hash ON mcp_api_tokens (token_hash);

-- Sessions of the older MCP revision as rows: any hub process can answer the next request.
CREATE TABLE mcp_sessions (
  session_hash bytea NOT NULL,
  namespace text NOT NULL,
  token_id uuid NOT NULL,
  protocol_version text NOT NULL,
  capabilities jsonb NOT NULL,
  created_at timestamptz DEFAULT now() NOT NULL,
  -- The lowest level of server logs that the client requested.
  log_level text,
  CONSTRAINT mcp_sessions_pkey PRIMARY KEY (session_hash)
);
CREATE INDEX mcp_sessions_by_age ON mcp_sessions (created_at);

-- The upstream's session id for a client session or a token.
CREATE TABLE mcp_upstream_sessions (
  owner_hash bytea NOT NULL,
  backend_id uuid NOT NULL,
  sealed_session text,
  protocol_version text NOT NULL,
  created_at timestamptz DEFAULT now() NOT NULL,
  CONSTRAINT mcp_upstream_sessions_pkey PRIMARY KEY (owner_hash, backend_id)
);
CREATE INDEX mcp_upstream_sessions_by_age ON mcp_upstream_sessions (created_at);

-- Earlier owners of a device and the time of the change: their events are erased with them.
CREATE TABLE device_tenures (
  tenant_id uuid NOT NULL,
  device_id uuid NOT NULL,
  until timestamptz NOT NULL,
  -- Null: from the beginning.
  since timestamptz,
  subscriber_id text NOT NULL,
  CONSTRAINT device_tenures_pkey PRIMARY KEY (tenant_id, device_id, until)
);
CREATE INDEX device_tenures_by_end ON device_tenures (until);
CREATE INDEX device_tenures_by_subscriber ON device_tenures (tenant_id, subscriber_id);

-- A user's own key for a backend, which the gateway sends for that user only.
CREATE TABLE mcp_connections (
  tenant_id uuid NOT NULL,
  backend_id uuid NOT NULL,
  user_id uuid NOT NULL,
  sealed_secret text NOT NULL,
  created_at timestamptz DEFAULT now() NOT NULL,
  updated_at timestamptz DEFAULT now() NOT NULL,
  CONSTRAINT mcp_connections_pkey PRIMARY KEY (tenant_id, backend_id, user_id)
);

-- The approved definition of each tool of a backend, and the current definition if it differs. A tool without approval
-- has no pinned definition.
CREATE TABLE mcp_tool_pins (
  tenant_id uuid NOT NULL,
  backend_id uuid NOT NULL,
  tool text NOT NULL,
  pinned_digest bytea,
  pinned jsonb,
  -- Null: as pinned.
  seen_digest bytea,
  seen jsonb,
  seen_at timestamptz,
  -- Server instructions are approved with the tools: a row of their own kind.
  kind text DEFAULT 'tool' NOT NULL,
  CONSTRAINT mcp_tool_pins_kind_check CHECK (kind IN ('tool', 'instructions')),
  CONSTRAINT mcp_tool_pins_pkey PRIMARY KEY (tenant_id, backend_id, kind, tool)
);

-- The last contact of the gateway with a server: a call, a list or a test.
CREATE TABLE mcp_server_health (
  tenant_id uuid NOT NULL,
  backend_id uuid NOT NULL,
  state text NOT NULL,
  checked_at timestamptz NOT NULL,
  -- The last failed contact; it stays after the server responds again.
  last_error text,
  last_error_at timestamptz,
  -- The number of tools in the last test or review.
  tool_count integer,
  CONSTRAINT mcp_server_health_state_check CHECK (state IN ('reachable', 'sign_in_required', 'unreachable')),
  CONSTRAINT mcp_server_health_pkey PRIMARY KEY (tenant_id, backend_id)
);

-- The gateway as an OAuth client of upstream servers. A client registered for a backend: one for all users, created on
-- first use. `basis` is its server and settings; others need another client.
CREATE TABLE mcp_upstream_clients (
  tenant_id uuid NOT NULL,
  backend_id uuid NOT NULL,
  basis bytea NOT NULL,
  issuer text NOT NULL,
  client_id text NOT NULL,
  sealed_secret text,
  auth_method text NOT NULL,
  registered_at timestamptz DEFAULT now() NOT NULL,
  CONSTRAINT mcp_upstream_clients_pkey PRIMARY KEY (tenant_id, backend_id)
);

-- The state during a user's sign-in at the upstream: looked up by hash before the tenant is known.
CREATE TABLE mcp_grant_starts (
  state_hash bytea NOT NULL,
  tenant_id uuid NOT NULL,
  backend_id uuid NOT NULL,
  user_id uuid NOT NULL,
  session_hash bytea NOT NULL,
  sealed_pending text NOT NULL,
  expires_at timestamptz NOT NULL,
  CONSTRAINT mcp_grant_starts_pkey PRIMARY KEY (state_hash)
);
CREATE INDEX mcp_grant_starts_by_end ON mcp_grant_starts (expires_at);

-- A user's OAuth connection to a server. `generation` increments with every token; `refreshing_until` is the lease of
-- the refreshing hub process.
CREATE TABLE mcp_grants (
  tenant_id uuid NOT NULL,
  backend_id uuid NOT NULL,
  user_id uuid NOT NULL,
  sealed_tokens text NOT NULL,
  source jsonb NOT NULL,
  scope text,
  generation integer DEFAULT 1 NOT NULL,
  refresh_at timestamptz,
  refreshing_until timestamptz,
  -- The reason why the user has to connect again; null: connected.
  renewal text,
  connected_at timestamptz DEFAULT now() NOT NULL,
  refreshed_at timestamptz DEFAULT now() NOT NULL,
  CONSTRAINT mcp_grants_pkey PRIMARY KEY (tenant_id, backend_id, user_id)
);

-- User groups, by e-mail address: a user may be in a group before the membership, and `mcpuser` names no member.
CREATE TABLE people_groups (
  tenant_id uuid NOT NULL,
  group_id uuid NOT NULL,
  name text NOT NULL,
  name_folded text NOT NULL,
  description text NOT NULL,
  version integer DEFAULT 1 NOT NULL,
  created_at timestamptz DEFAULT now() NOT NULL,
  updated_at timestamptz DEFAULT now() NOT NULL,
  external_id text,
  -- Members of a group have at least its role. `members.role` is the effective role; `given_role` is the role assigned
  -- directly if a group raises it, null otherwise.
  role text,
  CONSTRAINT people_groups_role_check CHECK (role IN ('Viewer', 'Reviewer', 'Admin')),
  CONSTRAINT people_groups_pkey PRIMARY KEY (tenant_id, group_id),
  CONSTRAINT people_groups_tenant_id_name_folded_key UNIQUE (tenant_id, name_folded)
);

CREATE TABLE people_group_members (
  tenant_id uuid NOT NULL,
  group_id uuid NOT NULL,
  email_folded text NOT NULL,
  CONSTRAINT people_group_members_pkey PRIMARY KEY (tenant_id, group_id, email_folded)
);

-- Access rules for tools of servers. Null: all servers, or a server as a whole.
CREATE TABLE mcp_rules (
  tenant_id uuid NOT NULL,
  rule_id uuid NOT NULL,
  effect text NOT NULL,
  backend_id uuid,
  tool text,
  subject text NOT NULL,
  group_id uuid,
  email text,
  reason text,
  created_by text NOT NULL,
  created_at timestamptz DEFAULT now() NOT NULL,
  CONSTRAINT mcp_rules_effect_check CHECK (effect IN ('allow', 'deny')),
  CONSTRAINT mcp_rules_subject_check CHECK (subject IN ('everybody', 'group', 'person')),
  CONSTRAINT mcp_rules_pkey PRIMARY KEY (tenant_id, rule_id)
);

-- Envelopes between hub processes: a client's answer to an elicitation, and the outcome of that request. Short-lived and
-- sealed.
CREATE TABLE mcp_mail (
  tenant_id uuid NOT NULL,
  box uuid NOT NULL,
  slot text NOT NULL,
  sealed_message text NOT NULL,
  created_at timestamptz DEFAULT now() NOT NULL,
  CONSTRAINT mcp_mail_pkey PRIMARY KEY (tenant_id, box, slot)
);
CREATE INDEX mcp_mail_by_age ON mcp_mail (created_at);

-- Resources that a session of the older revision subscribes to, at servers without subscriptions.
CREATE TABLE mcp_subscriptions (
  session_hash bytea NOT NULL,
  backend_id uuid NOT NULL,
  uri text NOT NULL,
  created_at timestamptz DEFAULT now() NOT NULL,
  CONSTRAINT mcp_subscriptions_pkey PRIMARY KEY (session_hash, backend_id, uri)
);
CREATE INDEX mcp_subscriptions_by_age ON mcp_subscriptions (created_at);

-- Guardrails for calls through the MCP gateway: arguments by schema, approval, and content in both directions.
-- `backend_id` null: every backend; `tool`: a name with `*` as wildcard.
CREATE TABLE mcp_call_rules (
  tenant_id uuid NOT NULL,
  rule_id uuid NOT NULL,
  kind text NOT NULL,
  name text NOT NULL,
  backend_id uuid,
  tool text NOT NULL,
  definition jsonb NOT NULL,
  enabled boolean DEFAULT true NOT NULL,
  version integer DEFAULT 1 NOT NULL,
  created_at timestamptz DEFAULT now() NOT NULL,
  updated_at timestamptz DEFAULT now() NOT NULL,
  CONSTRAINT mcp_call_rules_kind_check CHECK (kind IN ('arguments', 'approval', 'guardrail')),
  CONSTRAINT mcp_call_rules_pkey PRIMARY KEY (tenant_id, rule_id)
);

-- A call that waits for approval: of a user, a tool and arguments. An approval admits one such call until `expires_at`.
CREATE TABLE mcp_approvals (
  tenant_id uuid NOT NULL,
  approval_id uuid NOT NULL,
  rule_id uuid NOT NULL,
  backend_id uuid NOT NULL,
  tool text NOT NULL,
  email text NOT NULL,
  email_folded text NOT NULL,
  arguments_digest bytea NOT NULL,
  -- The arguments as shown to the user, without credentials.
  sealed_arguments text NOT NULL,
  decided_by_reviewer boolean NOT NULL,
  state text NOT NULL,
  created_at timestamptz DEFAULT now() NOT NULL,
  expires_at timestamptz NOT NULL,
  decided_at timestamptz,
  decided_by text,
  used_at timestamptz,
  CONSTRAINT mcp_approvals_state_check CHECK (state IN ('pending', 'granted', 'denied', 'used')),
  CONSTRAINT mcp_approvals_pkey PRIMARY KEY (tenant_id, approval_id)
);
CREATE INDEX mcp_approvals_by_age ON mcp_approvals (created_at);
CREATE INDEX mcp_approvals_open ON mcp_approvals (tenant_id, email_folded, arguments_digest) WHERE (state IN ('pending', 'granted'));

CREATE TABLE audit_checkpoints (
  tenant_id uuid NOT NULL,
  checkpoint bigint NOT NULL,
  made_at timestamptz NOT NULL,
  events integer NOT NULL,
  -- The MAC over the previous checkpoint and the ids of the events.
  mac bytea NOT NULL,
  CONSTRAINT audit_checkpoints_pkey PRIMARY KEY (tenant_id, checkpoint)
);

-- Access requests of users, from their own page or from the agent on their device.
CREATE TABLE access_requests (
  tenant_id uuid NOT NULL,
  access_request_id uuid NOT NULL,
  device_id uuid NOT NULL,
  -- The device's user at the time of the request; folded beside, for the user's own page.
  subscriber_id text NOT NULL,
  person text NOT NULL,
  via text NOT NULL,
  -- The subject: an app, or a process without one. A repeated request updates the same row.
  subject text NOT NULL,
  entity_id text,
  process_name text,
  application_name text,
  -- The policy and activity that blocked the subject, if the request came from a block.
  activity_id uuid,
  blocked_by uuid,
  reason text NOT NULL,
  asked integer DEFAULT 1 NOT NULL,
  -- The id of the last request: a repeated submission is not counted again.
  last_ask_id uuid NOT NULL,
  state text DEFAULT 'open' NOT NULL,
  created_at timestamptz NOT NULL,
  asked_at timestamptz NOT NULL,
  decided_at timestamptz,
  decided_by text,
  answer text,
  override_id uuid,
  ends_at timestamptz,
  version integer DEFAULT 1 NOT NULL,
  -- The ids in a batch: a batch that names a subject twice may be repeated, and each request counts once.
  ask_ids uuid[] DEFAULT '{}'::uuid[] NOT NULL,
  CONSTRAINT access_requests_state_check CHECK (state IN ('open', 'granted', 'declined', 'withdrawn')),
  CONSTRAINT access_requests_via_check CHECK (via IN ('console', 'agent')),
  CONSTRAINT access_requests_pkey PRIMARY KEY (tenant_id, access_request_id)
);
CREATE INDEX access_requests_by_override ON access_requests (tenant_id, override_id) WHERE (override_id IS NOT NULL);
CREATE INDEX access_requests_by_person ON access_requests (tenant_id, person, created_at DESC, access_request_id);
CREATE INDEX access_requests_by_time ON access_requests (tenant_id, created_at DESC, access_request_id);
CREATE UNIQUE INDEX access_requests_once ON access_requests (tenant_id, device_id, subject) WHERE (state = 'open');
CREATE INDEX access_requests_open ON access_requests (tenant_id, created_at DESC, access_request_id) WHERE (state = 'open');

-- Saved views: the filters of a list that a user stored under a name.
CREATE TABLE saved_views (
  tenant_id uuid NOT NULL,
  view_id uuid NOT NULL,
  -- The user's e-mail address, folded.
  person text NOT NULL,
  list text NOT NULL,
  name text NOT NULL,
  name_folded text NOT NULL,
  search jsonb NOT NULL,
  created_at timestamptz DEFAULT now() NOT NULL,
  CONSTRAINT saved_views_pkey PRIMARY KEY (tenant_id, view_id),
  CONSTRAINT saved_views_tenant_id_person_list_name_folded_key UNIQUE (tenant_id, person, list, name_folded)
);

-- Agent releases of the installation. Their files are stored here, so that every hub process serves them.
CREATE TABLE agent_releases (
  release_id uuid NOT NULL,
  version text NOT NULL,
  channel text NOT NULL,
  platform text NOT NULL,
  arch text NOT NULL,
  minimum_version text NOT NULL,
  file_name text NOT NULL,
  size bigint NOT NULL,
  sha256 text NOT NULL,
  -- The signed bytes, unchanged.
  manifest text NOT NULL,
  signature text NOT NULL,
  made_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  added_at timestamptz NOT NULL,
  ring_percent integer NOT NULL,
  withdrawn_at timestamptz,
  CONSTRAINT agent_releases_ring_percent_check CHECK (((ring_percent >= 0) AND (ring_percent <= 100))),
  CONSTRAINT agent_releases_pkey PRIMARY KEY (release_id)
);

CREATE TABLE agent_release_pieces (
  release_id uuid NOT NULL,
  piece integer NOT NULL,
  bytes bytea NOT NULL,
  CONSTRAINT agent_release_pieces_pkey PRIMARY KEY (release_id, piece)
);

-- Device groups that get a release before its percentage.
CREATE TABLE agent_release_groups (
  tenant_id uuid NOT NULL,
  release_id uuid NOT NULL,
  group_id uuid NOT NULL,
  CONSTRAINT agent_release_groups_pkey PRIMARY KEY (tenant_id, release_id, group_id)
);

-- Counts drifts and reviews of an app; an app without a row has 1.
CREATE TABLE application_versions (
  tenant_id uuid NOT NULL,
  entity_id bytea NOT NULL,
  version integer NOT NULL,
  CONSTRAINT application_versions_pkey PRIMARY KEY (tenant_id, entity_id)
);

-- A trigram index for parts of names, in tables of its own, because other rows change with every scan and names rarely
-- do. Each row has hashes of all trigrams of a text, with list and tenant.
CREATE TABLE search_grams (
  tenant_id uuid NOT NULL,
  list text NOT NULL,
  item_id bytea NOT NULL,
  grams integer[] NOT NULL,
  CONSTRAINT search_grams_pkey PRIMARY KEY (tenant_id, list, item_id)
);
CREATE INDEX search_grams_by_gram ON search_grams USING gin (grams) WITH (fastupdate=off);

-- The keys whose expiry was reported, and how many days before: each expiry is reported once.
CREATE TABLE key_notices (
  tenant_id uuid NOT NULL,
  key_id uuid NOT NULL,
  ends_at timestamptz NOT NULL,
  days integer NOT NULL,
  told_at timestamptz DEFAULT now() NOT NULL,
  CONSTRAINT key_notices_pkey PRIMARY KEY (tenant_id, key_id, ends_at, days)
);

-- Users and groups as a directory provisions them (SCIM 2.0).
CREATE TABLE scim_tokens (
  tenant_id uuid NOT NULL,
  token_id uuid NOT NULL,
  token_hash bytea NOT NULL,
  name text NOT NULL,
  creator jsonb NOT NULL,
  created_at timestamptz DEFAULT now() NOT NULL,
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  CONSTRAINT scim_tokens_pkey PRIMARY KEY (tenant_id, token_id),
  CONSTRAINT scim_tokens_token_hash_key UNIQUE (token_hash)
);
CREATE INDEX scim_tokens_by_age ON scim_tokens (tenant_id, created_at, token_id);

-- The approval baseline of an app: fingerprints of each launch and permission on any device at the approval, or reviewed
-- since, and a row 'reviewed' (empty fingerprint) once it exists. A device that reports the app later is compared with it.
CREATE TABLE launch_baselines (
  tenant_id uuid NOT NULL,
  entity_id bytea NOT NULL,
  kind text NOT NULL
    CHECK (kind IN ('fingerprint', 'reviewed')),
  fingerprint bytea NOT NULL,
  CONSTRAINT launch_baselines_pkey PRIMARY KEY (tenant_id, entity_id, kind, fingerprint)
);

-- A session as seen by a tenant: listed after its first use there, and ended there without ending it elsewhere.
CREATE TABLE session_tenants (
  tenant_id uuid NOT NULL,
  session_id uuid NOT NULL,
  last_used_at timestamptz DEFAULT now() NOT NULL,
  ended_at timestamptz,
  expires_at timestamptz NOT NULL,
  CONSTRAINT session_tenants_pkey PRIMARY KEY (tenant_id, session_id)
);
CREATE INDEX session_tenants_by_expiry ON session_tenants (expires_at);

-- The running hub processes on this database, with digests of the settings that must be equal.
CREATE TABLE hub_processes (
  process_id uuid NOT NULL,
  seen_at timestamptz NOT NULL,
  settings jsonb NOT NULL,
  CONSTRAINT hub_processes_pkey PRIMARY KEY (process_id)
);

-- Responses whose client disconnected: the call continues, and its messages are buffered, so that the client can resume
-- the stream at any hub process.
CREATE TABLE mcp_streams (
  owner_hash bytea NOT NULL,
  stream_id uuid NOT NULL,
  -- The JSON-RPC id of the call.
  request_id jsonb NOT NULL,
  -- The lease of the hub process that has the call.
  alive_at timestamptz DEFAULT now() NOT NULL,
  CONSTRAINT mcp_streams_pkey PRIMARY KEY (owner_hash, stream_id)
);
CREATE INDEX mcp_streams_by_age ON mcp_streams (alive_at);

CREATE TABLE mcp_stream_events (
  owner_hash bytea NOT NULL,
  stream_id uuid NOT NULL,
  seq integer NOT NULL,
  sealed_message text NOT NULL,
  is_last boolean NOT NULL,
  created_at timestamptz DEFAULT now() NOT NULL,
  CONSTRAINT mcp_stream_events_pkey PRIMARY KEY (owner_hash, stream_id, seq)
);
CREATE INDEX mcp_stream_events_by_age ON mcp_stream_events (created_at);

-- Counts of a product over the apps that a device has. A job recounts them within seconds of a change; "is_counted" is
-- false until then.
CREATE TABLE inventory_products (
  tenant_id uuid NOT NULL,
  product_id bytea NOT NULL,
  product_key text NOT NULL,
  category text NOT NULL,
  name text NOT NULL,
  name_folded text NOT NULL,
  vendor text,
  sources text[] NOT NULL,
  risk_hints text[] NOT NULL,
  application_count integer NOT NULL,
  device_count integer NOT NULL,
  user_count integer NOT NULL,
  linux_devices integer NOT NULL,
  darwin_devices integer NOT NULL,
  win32_devices integer NOT NULL,
  first_seen_at timestamptz NOT NULL,
  last_seen_at timestamptz NOT NULL,
  is_counted boolean DEFAULT false NOT NULL,
  is_searchable boolean DEFAULT false NOT NULL,
  CONSTRAINT inventory_products_pkey PRIMARY KEY (tenant_id, product_id)
);
CREATE INDEX inventory_products_by_first_seen ON inventory_products (tenant_id, first_seen_at DESC, product_id);
CREATE INDEX inventory_products_by_devices ON inventory_products (tenant_id, category, device_count DESC, product_id);
CREATE INDEX inventory_products_by_name ON inventory_products (tenant_id, category, name_folded, product_id);
CREATE INDEX inventory_products_uncounted ON inventory_products (tenant_id, product_id) WHERE (NOT is_counted);
CREATE INDEX inventory_products_unsearchable ON inventory_products (tenant_id) WHERE (NOT is_searchable);

-- A policy for a product, on all platforms or on one. It owns an override for each app that it covers.
CREATE TABLE product_policies (
  tenant_id uuid NOT NULL,
  policy_id uuid NOT NULL,
  version integer NOT NULL,
  deleted boolean DEFAULT false NOT NULL,
  product_id bytea NOT NULL,
  product_name text NOT NULL,
  -- Null: all platforms.
  platform text,
  scope_kind text NOT NULL,
  scope_id text NOT NULL,
  approval_status text NOT NULL,
  execution_policy text NOT NULL,
  severity text NOT NULL,
  reason text,
  effective_at timestamptz,
  expires_at timestamptz,
  created_at timestamptz NOT NULL,
  created_by text NOT NULL,
  updated_at timestamptz NOT NULL,
  updated_by text NOT NULL,
  CONSTRAINT product_policies_pkey PRIMARY KEY (tenant_id, policy_id)
);
CREATE INDEX product_policies_by_creation ON product_policies (tenant_id, created_at DESC, policy_id) WHERE (NOT deleted);
CREATE INDEX product_policies_by_product ON product_policies (tenant_id, product_id) WHERE (NOT deleted);

INSERT INTO installation DEFAULT VALUES;
INSERT INTO configuration_feed (n) VALUES (0);

-- Counts of a tenant at the end of each day (UTC), for trends on Home. Today's counts are those of the last quarter of an hour.
CREATE TABLE daily_counts (
  tenant_id uuid NOT NULL,
  day date NOT NULL,
  series text NOT NULL,
  value integer NOT NULL,
  CONSTRAINT daily_counts_pkey PRIMARY KEY (tenant_id, series, day)
);
