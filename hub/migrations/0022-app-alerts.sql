-- Alerting of apps: what is failing, and the messages about it.
CREATE TABLE app_alert_states (
  tenant_id uuid NOT NULL,
  app_id uuid NOT NULL,
  level text NOT NULL CHECK (level IN ('app', 'provider')),
  -- Empty for the level app.
  provider text NOT NULL,
  is_failing boolean NOT NULL,
  changed_at timestamptz NOT NULL,
  -- When it was told last that it fails: what the cooldown counts from.
  raised_at timestamptz NOT NULL,
  version int NOT NULL DEFAULT 1,
  PRIMARY KEY (tenant_id, app_id, level, provider)
);

CREATE TABLE app_alert_deliveries (
  tenant_id uuid NOT NULL,
  delivery_id uuid NOT NULL,
  app_id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('email', 'webhook')),
  -- The address, or the id of the app's webhook.
  target text NOT NULL,
  facts jsonb NOT NULL,
  state text NOT NULL CHECK (state IN ('pending', 'delivered', 'failed')),
  attempts int NOT NULL DEFAULT 0,
  claimed_until timestamptz,
  next_attempt_at timestamptz,
  last_status int,
  last_error text,
  created_at timestamptz NOT NULL DEFAULT now(),
  ended_at timestamptz,
  PRIMARY KEY (tenant_id, delivery_id)
);
CREATE INDEX app_alert_deliveries_due ON app_alert_deliveries (next_attempt_at)
  WHERE state = 'pending';
CREATE INDEX app_alert_deliveries_by_age ON app_alert_deliveries (created_at);
