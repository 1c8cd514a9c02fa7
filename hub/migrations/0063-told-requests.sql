-- A route may carry what people ask for, too: their requests for exceptions reach reviewers where they are.
ALTER TABLE alert_routes ADD COLUMN access_requests boolean NOT NULL DEFAULT false;
ALTER TABLE alert_deliveries ADD COLUMN about text NOT NULL DEFAULT 'alert';
