-- Responses whose client lost its connection: the call goes on, and what it sends is kept for a while, so that the client can
-- resume the stream at any hub process.
CREATE TABLE mcp_streams (
  owner_hash bytea NOT NULL,
  stream_id uuid NOT NULL,
  -- The JSON-RPC id of the call.
  request_id jsonb NOT NULL,
  -- Moved on while a hub process has the call.
  alive_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (owner_hash, stream_id)
);
CREATE INDEX mcp_streams_by_age ON mcp_streams (alive_at);

CREATE TABLE mcp_stream_events (
  owner_hash bytea NOT NULL,
  stream_id uuid NOT NULL,
  seq int NOT NULL,
  sealed_message text NOT NULL,
  is_last boolean NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (owner_hash, stream_id, seq)
);
CREATE INDEX mcp_stream_events_by_age ON mcp_stream_events (created_at);
