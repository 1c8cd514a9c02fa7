-- Who is in a group by a rule over what devices are; null where people put them in by hand.
ALTER TABLE device_groups ADD COLUMN rule jsonb;
