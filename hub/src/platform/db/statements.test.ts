import { expect, test } from 'vitest';
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
