-- What counts for an approved application that drifted, until somebody has reviewed it: what was approved, or less.
ALTER TABLE tenants
  ADD COLUMN drift_policy text NOT NULL DEFAULT 'approval'
    CHECK (drift_policy IN ('approval', 'warn', 'block')),
  -- What If-Match compares.
  ADD COLUMN drift_policy_version integer NOT NULL DEFAULT 1;

-- Set: the hub holds what drifted on one device; it goes with the review or the setting, never by hand.
ALTER TABLE overrides ADD COLUMN drift_hold boolean NOT NULL DEFAULT false;
CREATE INDEX overrides_drift_holds ON overrides (tenant_id, override_id) WHERE drift_hold AND NOT deleted;
