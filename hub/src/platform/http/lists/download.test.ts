// No cell becomes a formula, whatever a device calls its applications, and no text is lost.
import fc from 'fast-check';
import Fastify from 'fastify';
import { expect, test } from 'vitest';
import type { Person } from '../../auth/person.ts';
import { sendError } from '../errors/errors.ts';
import { csvCell, type ListFile, sendListFile, sendTenantFile } from './download.ts';

test.each([
  ['=cmd|calc', `"'=cmd|calc"`],
  ['@SUM(A1)', `"'@SUM(A1)"`],
  ['  -1+1', `"'  -1+1"`],
  ['\t=1', `"'\t=1"`],
  ['plain, "quoted"', '"plain, ""quoted"""'],
])('escapes %j', (name, cell) => {
  expect(csvCell(name)).toBe(cell);
});

test('keeps a number as a number and an empty cell as empty', () => {
  expect(csvCell(-3)).toBe('"-3"');
  expect(csvCell(null)).toBe('""');
});

test('preserves any text, which never begins like a formula', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const inside = csvCell(text).slice(1, -1).replaceAll('""', '"');
      expect([text, `'${text}`]).toContain(inside);
      expect(inside).not.toMatch(/^\s*[=+\-@]/);
    }),
  );
});

/** Downloads a file of `count` numbers. */
async function downloadNumbers(
  format: 'csv' | 'json',
  count: number,
  maxRows: number,
  fits = 1_000,
): Promise<string> {
  const app = Fastify();
  const file: ListFile<number, { n: number }> = {
    ...{ format, name: 'numbers', maxRows },
    columns: { n: ({ n }) => n },
    item: (n) => ({ n }),
    countFitting: (page) => Math.min(fits, page.length),
    next: async (after, limit) => {
      const from = after === null ? 0 : after + 1;
      return Array.from({ length: Math.min(limit, count - from) }, (_, i) => from + i);
    },
  };
  app.get('/', (_, reply) => sendListFile(reply, file));
  const { body } = await app.inject({ url: '/' });
  await app.close();
  return body;
}

test.each([0, 1, 999, 1000, 2500])(
  'writes a file of %i rows completely without a truncation line',
  async (count) => {
    const rows = (await downloadNumbers('csv', count, 2500)).split('\r\n').slice(1, -1);
    expect(rows).toEqual(Array.from({ length: count }, (_, n) => `"${n}"`));
    const items = JSON.parse(await downloadNumbers('json', count, 2500));
    expect(items).toEqual(Array.from({ length: count }, (_, n) => ({ n })));
  },
);

test.each([1, 7, 999])('writes rows once when %i fit into a page', async (fits) => {
  const items = JSON.parse(await downloadNumbers('json', 1500, 2500, fits));
  expect(items).toEqual(Array.from({ length: 1500 }, (_, n) => ({ n })));
});

test('marks a truncated file in its last line', async () => {
  const rows = (await downloadNumbers('csv', 2501, 2500)).split('\r\n').slice(1, -1);
  expect(rows).toHaveLength(2501);
  expect(rows.at(-1)).toContain('limited to 2500 rows');
  const items = JSON.parse(await downloadNumbers('json', 2501, 2500));
  expect(items).toHaveLength(2501);
  expect(items.at(-1)).toMatchObject({ cut_after: 2500 });
});

test('limits concurrent downloads of a tenant, beside those of others', async () => {
  const app = Fastify();
  app.setErrorHandler(sendError);
  app.decorateRequest('person', null);
  const gate = Promise.withResolvers<void>();
  app.get<{ Params: { tenant: string } }>('/:tenant', (request, reply) => {
    const { tenant } = request.params;
    request.person = { tenantId: tenant } as Person;
    return sendTenantFile(
      request,
      reply,
      {
        list: 'numbers',
        item: (n: number) => ({ n }),
        keyOf: (n: number) => [String(n)],
        fetch: async () => {
          if (tenant === 'slow') await gate.promise;
          return [];
        },
      },
      { format: 'json', columns: {} },
    );
  });
  const download = async (tenant: string) => {
    const { statusCode, headers } = await app.inject({ url: `/${tenant}` });
    return [statusCode, headers['retry-after']];
  };
  const first = Array.from({ length: 12 }, () => download('slow'));
  expect(await download('slow')).toEqual([503, expect.stringMatching(/^\d+$/)]);
  expect(await download('other')).toEqual([200, undefined]);
  gate.resolve();
  for (const answer of await Promise.all(first)) expect(answer).toEqual([200, undefined]);
  expect(await download('slow')).toEqual([200, undefined]);
  await app.close();
});
