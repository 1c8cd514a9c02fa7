// Results of the search box: pages by name and role, and the address of each kind.
import { expect, it } from 'vitest';
import { declaredPages } from '../../../../test/support/pages.ts';
import { AREAS, MY_AREA } from '../app/areas.ts';
import { resultGroups } from './results.ts';
import { pageSynonyms } from './synonyms.ts';

const ANSWER = {
  devices: [{ device_id: 'd', hostname: 'host', subscriber_id: 'a@example.com' }],
  users: [{ email: 'a@example.com' }],
  products: [
    { product_id: 'p', name: 'app', category: 'ai_tool' as const, platforms: ['linux' as const] },
  ],
  apps: [{ entity_id: 'e', name: 'app', kind: 'ai_tool' as const, platform: 'linux' as const }],
  mcp_servers: [{ backend_id: 'b', name: 'server' }],
  gateway_apps: [{ name: 'bot' }],
  requests: [{ kind: 'tool_call' as const, id: '7', at: '', user_email: null }],
  request_id: 'r',
};

it('names an address of the router for every kind', () => {
  const groups = resultGroups('x', 'Admin', ANSWER);
  expect(groups.map(({ kind }) => kind)).toEqual([
    'pages',
    'users',
    'products',
    'apps',
    'devices',
    'mcp_servers',
    'gateway_apps',
    'requests',
  ]);
  for (const { path } of groups.slice(1).flatMap(({ results }) => results)) {
    expect(declaredPages()).toContain(path);
  }
});

it('finds pages by a piece of their name, as far as the role may open them', () => {
  const labels = (query: string, role: 'Admin' | 'Viewer') =>
    resultGroups(query, role, undefined).flatMap(({ results }) =>
      results.map(({ label }) => label),
    );
  expect(labels('audit', 'Admin')).toEqual(['Audit log']);
  expect(labels('sign-in', 'Admin')).toEqual(['Sign-in and SCIM']);
  expect(labels('sign-in', 'Viewer')).toEqual([]);
  expect(labels('  ', 'Admin')).toEqual([]);
});

it.each(['enroll', 'laptop', 'onboard', 'install', 'onboard laptop', 'enroll device'])(
  'finds the page that adds devices by %s',
  (query) => {
    const [pages] = resultGroups(query, 'Admin', undefined);
    expect(pages?.results.map(({ label }) => label)).toContain('Add devices');
  },
);

it('knows synonyms of pages that exist alone, and lists a page by its name first', () => {
  const paths = [...AREAS, MY_AREA].flatMap(({ tabs }) => tabs.map(({ path }) => path));
  expect(Object.keys(pageSynonyms).filter((path) => !paths.includes(path))).toEqual([]);
  const [pages] = resultGroups('policies', 'Admin', undefined);
  expect(pages?.results[0]?.label).toBe('App policies');
});
