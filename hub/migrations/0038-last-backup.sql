-- When the hub's own backup command last wrote a whole file; null: not known.
ALTER TABLE installation ADD COLUMN last_backup_at timestamptz;
