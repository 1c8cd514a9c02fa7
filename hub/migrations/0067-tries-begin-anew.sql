-- What a person has sent again after it was given up is tried as often as a new one. `attempts` itself only grows: by it
-- whoever sends knows that the claim is still theirs.
ALTER TABLE alert_deliveries ADD COLUMN earlier_attempts integer NOT NULL DEFAULT 0;
