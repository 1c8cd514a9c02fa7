// Requests of the API reference: each typed value is in its place only.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { askedOf, mayBeTried } from './ask.ts';
import type { Operation } from './operations.ts';

const OPERATION = {
  path: '/a/{tenant_id}/b/{id}',
  parameters: [
    { name: 'tenant_id', in: 'path', required: true },
    { name: 'id', in: 'path', required: true },
    { name: 'query', in: 'query' },
    { name: 'x-device-id', in: 'header' },
  ],
} as const;

test('requires the parameters of an operation', () => {
  expect(askedOf(OPERATION, { 'path tenant_id': 't' }, '')).toBeNull();
  expect(askedOf(OPERATION, { 'path tenant_id': 't', 'path id': ' ' }, '')).toBeNull();
});

test('any text comes back from the place that it was typed for', () => {
  const text = fc.string({ unit: 'grapheme', minLength: 1 }).filter((item) => item.trim() !== '');
  fc.assert(
    fc.property(text, text, (id, query) => {
      const asked = askedOf(
        OPERATION,
        { 'path tenant_id': 't', 'path id': id, 'query query': query, 'header x-device-id': 'd' },
        'k',
      );
      const url = new URL(asked?.url ?? '', 'http://hub');
      expect(url.pathname.split('/').slice(0, 4)).toEqual(['', 'a', 't', 'b']);
      // A browser always resolves these two.
      if (!['.', '..'].includes(id.trim())) {
        expect(decodeURIComponent(url.pathname.split('/').slice(4).join('/'))).toBe(id.trim());
      }
      expect([...url.searchParams]).toEqual([['query', query.trim()]]);
      expect(asked?.headers).toMatchObject({ 'x-device-id': 'd', authorization: 'Bearer k' });
    }),
  );
});

test.each([
  ['GET', 'application/json', true],
  ['GET', 'text/event-stream', false],
  ['POST', 'application/json', false],
])('%s that answers %s may be tried: %s', (method, type, may) => {
  const answers = [{ status: '200', answer: { content: { [type]: {} } } }];
  expect(mayBeTried({ method, answers } as unknown as Operation)).toBe(may);
});
