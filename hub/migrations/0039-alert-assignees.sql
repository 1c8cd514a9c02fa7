-- Who looks after an alert: a person's e-mail address, as that of who acknowledged it.
ALTER TABLE alerts ADD COLUMN assigned_to text;
ALTER TABLE alerts ADD COLUMN assigned_at timestamptz;
CREATE INDEX alerts_assigned ON alerts (tenant_id, lower(assigned_to), received_at DESC, alert_id) WHERE assigned_to IS NOT NULL;
