-- Alert routes: whom alerts reach outside the console, and each delivery with what became of it.
CREATE TABLE alert_routes (
  tenant_id uuid NOT NULL,
  route_id uuid NOT NULL,
  -- What If-Match compares. What deliveries say about the route's health does not move it.
  version integer NOT NULL,
  kind text NOT NULL,
  name text NOT NULL,
  -- Of webhook and chat: the URL sealed, and as much of it as people see again.
  url_sealed text,
  url_hint text,
  -- Of e-mail: the addresses.
  recipients jsonb,
  secret_sealed text,
  -- While a rotation runs, messages are signed with both.
  previous_secret_sealed text,
  previous_secret_until timestamptz,
  min_severity text NOT NULL,
  group_id uuid,
  enabled boolean NOT NULL,
  -- The target said that it is gone; the hub disabled the route by itself.
  gone boolean NOT NULL DEFAULT false,
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
  PRIMARY KEY (tenant_id, route_id)
);

CREATE TABLE alert_deliveries (
  tenant_id uuid NOT NULL,
  delivery_id uuid NOT NULL,
  route_id uuid NOT NULL,
  -- A test has an id of its own here and the nil UUID as device.
  alert_id uuid NOT NULL,
  device_id uuid NOT NULL,
  is_test boolean NOT NULL,
  state text NOT NULL CHECK (state IN ('pending', 'delivered', 'failed')),
  attempts integer NOT NULL DEFAULT 0,
  -- A hub process sends it now; past this time that process counts as dead.
  claimed_until timestamptz,
  -- Recipients that a mail server has not accepted yet; null: all.
  recipients_left jsonb,
  last_status integer,
  last_error text,
  created_at timestamptz NOT NULL,
  last_attempt_at timestamptz,
  next_attempt_at timestamptz,
  delivered_at timestamptz,
  PRIMARY KEY (tenant_id, delivery_id)
);
-- What makes an alert be notified once for each route.
CREATE UNIQUE INDEX alert_deliveries_once ON alert_deliveries (tenant_id, route_id, alert_id, device_id);
CREATE INDEX alert_deliveries_by_time ON alert_deliveries (tenant_id, route_id, created_at DESC, delivery_id);
CREATE INDEX alert_deliveries_due ON alert_deliveries (next_attempt_at) WHERE state = 'pending';
CREATE INDEX alert_deliveries_by_age ON alert_deliveries (created_at);
