-- A device whose enrolment was answered and that never read the answer enrols again with the value that it made up for it.
ALTER TABLE devices ADD COLUMN enrolment_key_hash bytea;
