import { expect, test } from 'vitest';
import { migrationNames, textOf } from './migrate.ts';
import { statementsOf } from './statements.ts';

test('splits statements at semicolons outside of texts, names, bodies and comments', () => {
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

test('returns no statements for an empty text', () => {
  expect(statementsOf(' ; -- only words\n;')).toEqual([]);
});

test('requires migrations to add columns without a constraint, which Citus accepts only by name in a separate statement', () => {
  const refused = migrationNames().filter((name) =>
    statementsOf(textOf(name)).some((one) =>
      /ADD COLUMN[\s\S]*\b(CHECK|UNIQUE|REFERENCES|PRIMARY)\b/i.test(one),
    ),
  );
  expect(refused).toEqual([]);
});
