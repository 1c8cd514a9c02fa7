-- What all hub processes must agree on about a device that follows: since when its inventory differs from ours and when
-- it last began anew for that, when it was last made to pull everything, and from where its scans count.
ALTER TABLE devices
  ADD COLUMN inventory_unequal_since timestamptz,
  ADD COLUMN inventory_doubted_at timestamptz,
  ADD COLUMN governance_reset_at timestamptz,
  -- When it last said that it belongs to another person, without a token of its own.
  ADD COLUMN subscriber_changed_at timestamptz,
  -- Added to the numbers that the device gives its scans: raised with each epoch, so that what is sent for it counts,
  -- also from a device that lost its store and counts from one again.
  ADD COLUMN scan_base bigint NOT NULL DEFAULT 0,
  -- Of scans up to this number it is forgotten what they named.
  ADD COLUMN forgotten_scan bigint NOT NULL DEFAULT -1;
-- The number as the device sent it: all batches of a scan have to say the same.
ALTER TABLE scans ADD COLUMN sent_seq bigint;
UPDATE scans SET sent_seq = seq;
