-- What a tenant lets discovery look at on its devices, and how far each device's inventory was held against it.
ALTER TABLE tenants
  ADD COLUMN personal_homes boolean NOT NULL DEFAULT true,
  ADD COLUMN browser_profiles boolean NOT NULL DEFAULT true,
  ADD COLUMN discovery_version integer NOT NULL DEFAULT 1;
ALTER TABLE devices ADD COLUMN scoped_version bigint;
