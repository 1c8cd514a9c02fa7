-- The system that a chat route's messages are formatted for; null: the one that its URL names.
ALTER TABLE alert_routes ADD COLUMN format text;
ALTER TABLE alert_routes ADD CONSTRAINT alert_routes_format_check
  CHECK (format IN ('teams', 'slack', 'google_chat', 'pagerduty', 'mattermost'));
