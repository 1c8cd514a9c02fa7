-- The installation, its tenants, feeds and audit trail.
CREATE TABLE installation (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  installation_id uuid NOT NULL DEFAULT gen_random_uuid(),
  feed_epoch uuid NOT NULL DEFAULT gen_random_uuid(),
  -- The canonical origin of the hub that served last: what commands put into tokens.
  origin text,
  created_at timestamptz NOT NULL DEFAULT now()
);
INSERT INTO installation DEFAULT VALUES;

CREATE TABLE installation_secrets (
  name text PRIMARY KEY,
  sealed text NOT NULL
);

CREATE TABLE tenants (
  tenant_id uuid PRIMARY KEY,
  name text NOT NULL,
  enforcement_ceiling text NOT NULL DEFAULT 'enforce'
    CHECK (enforcement_ceiling IN ('enforce', 'monitor', 'off')),
  created_at timestamptz NOT NULL DEFAULT now(),
  suspended_at timestamptz
);

CREATE TABLE feeds (
  tenant_id uuid NOT NULL,
  topic text NOT NULL,
  n bigint NOT NULL,
  PRIMARY KEY (tenant_id, topic)
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
  PRIMARY KEY (tenant_id, event_id)
);
CREATE INDEX audit_events_by_time ON audit_events (tenant_id, at DESC, event_id);
