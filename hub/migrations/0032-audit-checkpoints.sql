-- The audit trail shows tampering: events are gathered under numbered checkpoints, each bound to the one before.
ALTER TABLE audit_events ADD COLUMN checkpoint bigint;
ALTER TABLE audit_events ADD COLUMN mac bytea;

CREATE TABLE audit_checkpoints (
  tenant_id uuid NOT NULL,
  checkpoint bigint NOT NULL,
  made_at timestamptz NOT NULL,
  events integer NOT NULL,
  -- Over the checkpoint before and the ids of the events.
  mac bytea NOT NULL,
  PRIMARY KEY (tenant_id, checkpoint)
);

-- Two parts, so that a write keeps up only the small one.
CREATE INDEX audit_events_open ON audit_events (tenant_id, at, event_id) WHERE checkpoint IS NULL;
CREATE INDEX audit_events_of_checkpoint ON audit_events (tenant_id, checkpoint) WHERE checkpoint IS NOT NULL;
