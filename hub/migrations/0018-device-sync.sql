-- What all hub processes must agree on about a device that follows: since when its inventory differs from ours and when
-- it last began anew for that, when it was last made to pull everything, and from where its scans count.
ALTER TABLE devices
  ADD COLUMN inventory_unequal_since timestamptz,
  ADD COLUMN inventory_doubted_at timestamptz,
  ADD COLUMN governance_reset_at timestamptz,
  -- Added to the numbers that the device gives its scans: raised with each epoch, so that what is sent for it counts,
  -- also from a device that lost its store and counts from one again.
  ADD COLUMN scan_base bigint NOT NULL DEFAULT 0;
