-- What all hub processes must agree on about a device that follows: since when its inventory differs from ours and when
-- it last began anew for that, when it was last made to pull everything, and from where its scans count.
ALTER TABLE devices
  ADD COLUMN inventory_unequal_since timestamptz,
  ADD COLUMN inventory_doubted_at timestamptz,
  ADD COLUMN governance_reset_at timestamptz;
