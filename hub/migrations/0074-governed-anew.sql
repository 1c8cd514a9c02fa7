-- From which number of the governance feed on a device's cursors hold: what it was told before was about somebody whose
-- decisions cannot be told apart any more.
ALTER TABLE devices ADD COLUMN governed_from bigint NOT NULL DEFAULT 0;
