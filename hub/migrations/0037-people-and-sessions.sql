-- People are changed by version and say when they last signed in; sessions are listed and ended one by one.
ALTER TABLE members ADD COLUMN version integer NOT NULL DEFAULT 1;
ALTER TABLE members ADD COLUMN last_sign_in_at timestamptz;

ALTER TABLE sessions ADD COLUMN session_id uuid NOT NULL DEFAULT gen_random_uuid();
-- What the browser calls itself, cut; never an address.
ALTER TABLE sessions ADD COLUMN user_agent text NOT NULL DEFAULT '';
ALTER TABLE sessions ADD COLUMN last_used_at timestamptz NOT NULL DEFAULT now();
CREATE UNIQUE INDEX sessions_by_id ON sessions (session_id);
