import { expect, test } from 'vitest';
import { migrationNames, textOf } from './migrate.ts';
import { statementsOf } from './statements.ts';

test('a semicolon ends a statement, unless it stands in a text, a name, a body or a comment', () => {
  const file = `
    -- First; of all.
    CREATE TABLE a (b text DEFAULT 'x;''y', "c;d" integer);
    /* nothing; here */
    DO $body$ BEGIN PERFORM 1; PERFORM $x$;$x$; END $body$ ;;
    -- the last one needs none
    SELECT 1 -- ; not here`;
  expect(statementsOf(file)).toEqual([
    `-- First; of all.
    CREATE TABLE a (b text DEFAULT 'x;''y', "c;d" integer)`,
    `/* nothing; here */
    DO $body$ BEGIN PERFORM 1; PERFORM $x$;$x$; END $body$`,
    `-- the last one needs none
    SELECT 1 -- ; not here`,
  ]);
});

test('nothing gives nothing', () => {
  expect(statementsOf(' ; -- only words\n;')).toEqual([]);
});

/** Tables may have been distributed before what comes after this one. */
const LAST_BEFORE = '0045';

test('a migration adds a column without a constraint, which Citus takes only by name and in a statement of its own', () => {
  const refused = migrationNames()
    .filter((name) => name.slice(0, 4) > LAST_BEFORE)
    .filter((name) =>
      statementsOf(textOf(name)).some((one) =>
        /ADD COLUMN[\s\S]*\b(CHECK|UNIQUE|REFERENCES|PRIMARY)\b/i.test(one),
      ),
    );
  expect(refused).toEqual([]);
});
