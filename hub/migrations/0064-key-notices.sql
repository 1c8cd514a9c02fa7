-- Whose end was told, and how many days before: nobody is told twice of one end.
CREATE TABLE key_notices (
  tenant_id uuid NOT NULL,
  key_id uuid NOT NULL,
  ends_at timestamptz NOT NULL,
  days int NOT NULL,
  told_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, key_id, ends_at, days)
);
