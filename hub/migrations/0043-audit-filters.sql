-- The trail as people read it: what one person did, and what was done by one name.
CREATE INDEX audit_events_by_actor ON audit_events (tenant_id, (lower(actor ->> 'email')), at DESC, event_id);
CREATE INDEX audit_events_by_operation ON audit_events (tenant_id, operation, at DESC, event_id);
