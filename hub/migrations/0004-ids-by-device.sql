-- An id that a device made says nothing about another device's: each has its own, so none can swallow the other's.
ALTER TABLE alert_ids ADD COLUMN device_id uuid;
UPDATE alert_ids i SET device_id = a.device_id FROM alerts a
  WHERE a.tenant_id = i.tenant_id AND a.received_on = i.received_on AND a.alert_id = i.alert_id;
DELETE FROM alert_ids WHERE device_id IS NULL;
ALTER TABLE alert_ids DROP CONSTRAINT alert_ids_pkey;
ALTER TABLE alert_ids ADD PRIMARY KEY (tenant_id, alert_id, device_id);
ALTER TABLE alerts DROP CONSTRAINT alerts_pkey;
ALTER TABLE alerts ADD PRIMARY KEY (tenant_id, received_on, alert_id, device_id);

ALTER TABLE activity_ids ADD COLUMN device_id uuid;
UPDATE activity_ids i SET device_id = a.device_id FROM activity a
  WHERE a.tenant_id = i.tenant_id AND a.received_on = i.received_on AND a.activity_id = i.activity_id;
DELETE FROM activity_ids WHERE device_id IS NULL;
ALTER TABLE activity_ids DROP CONSTRAINT activity_ids_pkey;
ALTER TABLE activity_ids ADD PRIMARY KEY (tenant_id, activity_id, device_id);
ALTER TABLE activity DROP CONSTRAINT activity_pkey;
ALTER TABLE activity ADD PRIMARY KEY (tenant_id, received_on, activity_id, device_id);
