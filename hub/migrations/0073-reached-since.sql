-- Up to when a job has looked at what came under an approval: what came since is found, however long no hub ran.
ALTER TABLE installation ADD COLUMN unseen_until timestamptz;
-- Asked for each minute, of all tenants at once: what is new among very much that is not.
CREATE INDEX device_group_members_by_joining ON device_group_members (added_at);
CREATE INDEX device_tenures_by_end ON device_tenures (until);
CREATE INDEX devices_by_move ON devices (subscriber_changed_at) WHERE subscriber_changed_at IS NOT NULL;
CREATE INDEX overrides_approved_lately ON overrides (updated_at)
  WHERE approval_status = 'approved' AND NOT deleted AND match ->> 'entity_id' IS NOT NULL;
CREATE INDEX overrides_begun_lately ON overrides (effective_at)
  WHERE approval_status = 'approved' AND NOT deleted AND match ->> 'entity_id' IS NOT NULL
    AND effective_at IS NOT NULL;
