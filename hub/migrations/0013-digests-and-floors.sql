-- A route may gather what comes at once: one message that counts and lists the alerts, instead of one for each.
ALTER TABLE alert_routes
  -- So many messages in a minute, then the rest in one; null: each alert by itself.
  ADD COLUMN digest_after integer CHECK (digest_after BETWEEN 1 AND 1000);
UPDATE alert_routes SET digest_after = 20 WHERE kind <> 'webhook';

ALTER TABLE alert_deliveries
  ADD COLUMN severity text,
  -- Of a digest: how many alerts it tells of. It has an id of its own as alert and the nil UUID as device.
  ADD COLUMN digest_alerts integer,
  -- Of an alert that a digest tells of: it has no attempts of its own.
  ADD COLUMN digest_id uuid;
CREATE INDEX alert_deliveries_by_digest ON alert_deliveries (tenant_id, digest_id)
  WHERE digest_id IS NOT NULL;

-- How many alerts a route took in the present minute.
CREATE TABLE alert_route_meters (
  tenant_id uuid NOT NULL,
  route_id uuid NOT NULL,
  window_started_at timestamptz NOT NULL,
  alerts integer NOT NULL,
  -- The minute before was full: from its beginning this one sends nothing but digests.
  gathers boolean NOT NULL,
  digest_id uuid,
  PRIMARY KEY (tenant_id, route_id)
);

-- What left a scope is remembered for a time. Up to the floor it is forgotten: a cursor below it is answered 410.
ALTER TABLE feeds ADD COLUMN floor bigint NOT NULL DEFAULT 0;
-- How far a feed was at which time.
CREATE TABLE feed_marks (
  tenant_id uuid NOT NULL,
  topic text NOT NULL,
  n bigint NOT NULL,
  at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, topic, n)
);
