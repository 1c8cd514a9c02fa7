-- Whose answer was lost asks for the same rotation again: the secret that receivers still use is not dropped for a second one.
ALTER TABLE alert_routes ADD COLUMN rotation_id uuid;
