-- A person's own devices: the subscriber is the person whose e-mail address it is, folded. Subscribers are ASCII.
CREATE INDEX devices_by_person
  ON devices (tenant_id, lower(subscriber_id COLLATE "C"), device_id) WHERE retired_at IS NULL;

-- Exceptions that people ask for: by themselves on their own page, or through the agent of their device.
CREATE TABLE access_requests (
  tenant_id uuid NOT NULL,
  access_request_id uuid NOT NULL,
  device_id uuid NOT NULL,
  -- Whose device it was when it was asked; folded beside, for their own page.
  subscriber_id text NOT NULL,
  person text NOT NULL,
  via text NOT NULL CHECK (via IN ('console', 'agent')),
  -- What it is about: an application, or a process that belongs to none. What is asked again is one request.
  subject text NOT NULL,
  entity_id text,
  process_name text,
  application_name text,
  -- What stopped it, where it was asked about that.
  activity_id uuid,
  blocked_by uuid,
  reason text NOT NULL,
  asked integer NOT NULL DEFAULT 1,
  -- Of the last time: what an agent sends again is not counted again.
  last_ask_id uuid NOT NULL,
  state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'granted', 'declined', 'withdrawn')),
  created_at timestamptz NOT NULL,
  asked_at timestamptz NOT NULL,
  decided_at timestamptz,
  decided_by text,
  answer text,
  override_id uuid,
  ends_at timestamptz,
  version integer NOT NULL DEFAULT 1,
  PRIMARY KEY (tenant_id, access_request_id)
);
CREATE UNIQUE INDEX access_requests_once
  ON access_requests (tenant_id, device_id, subject) WHERE state = 'open';
CREATE INDEX access_requests_by_time
  ON access_requests (tenant_id, created_at DESC, access_request_id);
CREATE INDEX access_requests_open
  ON access_requests (tenant_id, created_at DESC, access_request_id) WHERE state = 'open';
CREATE INDEX access_requests_by_person
  ON access_requests (tenant_id, person, created_at DESC, access_request_id);
CREATE INDEX access_requests_by_override
  ON access_requests (tenant_id, override_id) WHERE override_id IS NOT NULL;
