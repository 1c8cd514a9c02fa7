-- A batch that names one subject twice may come again after both were told: each asking counts once.
ALTER TABLE access_requests ADD COLUMN ask_ids uuid[] NOT NULL DEFAULT '{}';
