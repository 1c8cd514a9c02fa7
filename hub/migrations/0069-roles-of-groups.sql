-- Who is in a group has its role at least. `members.role` stays what a person may do; `given_role` is what they were given
-- themselves where a group lifts it, null where `role` is that. So a release that knows of no groups' roles reads and
-- writes `role` as before.
ALTER TABLE people_groups ADD COLUMN role text;
ALTER TABLE people_groups ADD CONSTRAINT people_groups_role_check
  CHECK (role IN ('Viewer', 'Reviewer', 'Admin'));
ALTER TABLE members ADD COLUMN given_role text;
ALTER TABLE members ADD CONSTRAINT members_given_role_check
  CHECK (given_role IN ('Member', 'Viewer', 'Reviewer', 'Admin'));
