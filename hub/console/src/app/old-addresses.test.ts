// Old addresses redirect to current pages with their parameters and queries.
import { expect, it } from 'vitest';
import { declaredPages } from '../../../../test/support/pages.ts';
import { productList } from '../products/lists.ts';
import { newAddress, OLD_ADDRESSES } from './old-addresses.ts';

const listParameters = (path: string) => path.match(/\$\w+/g) ?? [];

it.each(OLD_ADDRESSES)('redirects $from to a page of the router: $to', ({ from, to }) => {
  const list = /^\/inventory\/([a-z-]+)$/.exec(to)?.[1] ?? '';
  const page = productList(list) === undefined ? to : '/inventory/$list';
  expect(declaredPages()).toContain(page);
  expect(listParameters(to)).toEqual(listParameters(from));
  expect(declaredPages()).not.toContain(from);
});

it('keeps the query of an old address', () => {
  expect(newAddress('/alerts', { state: 'open', severity: 'high' })).toEqual({
    to: '/activity/alerts',
    search: { state: 'open', severity: 'high' },
  });
});

it('chooses the inventory tab by the kind in the query', () => {
  const query = { kind: 'mcp_server', query: 'files' };
  expect(newAddress('/applications', query)).toEqual({
    to: '/inventory/mcp-servers',
    search: { query: 'files' },
  });
  expect(newAddress('/applications', { drifted: 'true' })?.to).toBe('/inventory/all');
});

it('returns nothing for an address that never changed', () => {
  expect(newAddress('/devices', {})).toBe(undefined);
});
