-- Of people who were erased: up to which number of the feed what stood for them has lost whose it was, by a hash of their name.
ALTER TABLE feeds ADD COLUMN erased jsonb NOT NULL DEFAULT '{}';
