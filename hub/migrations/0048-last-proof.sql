-- What the last proof of a backup came to: when, by which version, and which steps failed; empty: all is proved.
ALTER TABLE installation ADD COLUMN last_proof_at timestamptz;
ALTER TABLE installation ADD COLUMN last_proof_version text;
ALTER TABLE installation ADD COLUMN last_proof_failed text[];
