-- How many alerts of each severity are open is counted severity by severity, and so are they listed: the few critical ones
-- among very many of no weight are not looked for one by one.
CREATE INDEX alerts_open_by_severity ON alerts (tenant_id, severity, received_at DESC, alert_id)
  WHERE acknowledged_at IS NULL;
