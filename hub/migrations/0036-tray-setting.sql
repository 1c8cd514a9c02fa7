-- What people may do in the tray app of their devices, and whom they are told to ask.
ALTER TABLE tenants
  ADD COLUMN tray_pause_minutes integer NOT NULL DEFAULT 0 CHECK (tray_pause_minutes BETWEEN 0 AND 480),
  ADD COLUMN tray_contact text CHECK (length(tray_contact) BETWEEN 1 AND 256),
  ADD COLUMN tray_version integer NOT NULL DEFAULT 1;
