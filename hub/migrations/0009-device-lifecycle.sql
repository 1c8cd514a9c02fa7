-- Retired devices stay as a row without rights; two machines that claim one id are noticed; when a device is stale.
ALTER TABLE devices
  ADD COLUMN retired_at timestamptz,
  -- How the device called itself before its last change of name: who comes back to it within a day is another machine.
  ADD COLUMN other_claim jsonb,
  ADD COLUMN duplicate_since timestamptz;

ALTER TABLE tenants ADD COLUMN stale_after_hours integer NOT NULL DEFAULT 336
  CHECK (stale_after_hours BETWEEN 1 AND 8760);

CREATE INDEX audit_events_by_resource ON audit_events (tenant_id, (resource ->> 'id'), at DESC);
