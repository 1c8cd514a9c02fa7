import { expect, test } from 'vitest';
import { migrationNames, textOf } from './migrate.ts';
import { splitStatements } from './split-statements.ts';

test('splits statements at semicolons outside of texts, names, bodies and comments', () => {
  const file = `
    -- First; of all.
    CREATE TABLE a (b text DEFAULT 'x;''y', "c;d" integer);
    /* nothing; here */
    DO $body$ BEGIN PERFORM 1; PERFORM $x$;$x$; END $body$ ;;
    -- the last statement needs no semicolon
    SELECT 1 -- ; not here`;
  expect(splitStatements(file)).toEqual([
    `-- First; of all.
    CREATE TABLE a (b text DEFAULT 'x;''y', "c;d" integer)`,
    `/* nothing; here */
    DO $body$ BEGIN PERFORM 1; PERFORM $x$;$x$; END $body$`,
    `-- the last statement needs no semicolon
    SELECT 1 -- ; not here`,
  ]);
});

test('returns no statements for an empty text', () => {
  expect(splitStatements(' ; -- only words\n;')).toEqual([]);
});

test('requires migrations to add columns without a constraint, which Citus accepts only by name in a separate statement', () => {
  const refused = migrationNames().filter((name) =>
    splitStatements(textOf(name)).some((statement) =>
      /ADD COLUMN[\s\S]*\b(CHECK|UNIQUE|REFERENCES|PRIMARY)\b/i.test(statement),
    ),
  );
  expect(refused).toEqual([]);
});
