// PostgreSQL decodes encoded arrays to the same values, for any text.
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestHub, type TestHub } from '../../../../test/support/hub.ts';
import { propertyRuns } from '../../../../test/support/property-runs.ts';
import { jsonArray, textArray } from './array-literals.ts';
import { row } from './database.ts';

let hub: TestHub;
beforeAll(async () => {
  hub = await startTestHub();
});
afterAll(() => hub.stop());

/** Generates text that a column can store: no NUL, no lone surrogate. */
const text = fc
  .oneof(
    fc.string({ unit: 'binary' }),
    fc.string({
      unit: fc.constantFrom('"', '\\', '{', '}', ',', '\n', '\u2028', 'NULL', "'", ' '),
    }),
  )
  .map((text) => text.toWellFormed().replaceAll('\0', ''));

it('decodes any texts unchanged', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.option(text)), async (texts) => {
      const read = await row(
        hub.context.database.db,
        sql<{ texts: (string | null)[] }>`SELECT ${textArray(texts)}::text[] AS texts`,
      );
      expect(read?.texts).toEqual(texts);
    }),
    { numRuns: propertyRuns(200) },
  );
});

it('decodes any JSON unchanged', async () => {
  const value = fc.dictionary(
    text.filter((key) => key !== '__proto__'),
    fc.oneof(text, fc.integer(), fc.array(text)),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(fc.option(value)), async (values) => {
      const read = await row(
        hub.context.database.db,
        sql<{ values: (string | null)[] }>`SELECT ${jsonArray(values)}::text[] AS values`,
      );
      expect(read?.values.map((text) => (text === null ? null : JSON.parse(text)))).toEqual(
        values.map((text) => (text === null ? null : JSON.parse(JSON.stringify(text)))),
      );
    }),
    { numRuns: propertyRuns(200) },
  );
});
