// Results of the search box: pages by name and role, and the address of each kind.
import { expect, it } from 'vitest';
import { declaredPages } from '../../../../test/support/pages.ts';
import { resultGroups } from './results.ts';

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
