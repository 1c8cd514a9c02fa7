// The access matrix over HTTP: a change of a cell creates and deletes access rules, with their audit events.
import { beforeAll, expect, it } from 'vitest';
import { sharedTestHub, type TestHub } from '../../../../../test/support/hub.ts';

let hub: TestHub;
let backendId: string;
let ops: string;
let sales: string;

beforeAll(async () => {
  hub = await sharedTestHub();
  const made = await hub.console('POST', '/mcp/backends', {
    body: {
      slug: 'matrix',
      name: 'Matrix',
      url: 'https://example.com/mcp',
      auth: { kind: 'none' },
    },
  });
  backendId = made.body.backend.id;
  const group = async (name: string, members: string[]) =>
    (await hub.console('POST', '/people-groups', { body: { name, members } })).body.group
      .people_group_id as string;
  ops = await group('Ops', ['ann@example.com', 'bob@example.com']);
  sales = await group('Sales', []);
});

const matrix = async () => (await hub.console('GET', '/mcp/access-matrix')).body;
const column = async () => {
  const { cells } = await matrix();
  const accessOf = (id: string | null) =>
    cells.find((cell: { group_id: string | null }) => cell.group_id === id).access;
  return [accessOf(ops), accessOf(sales), accessOf(null)];
};
const change = (method: 'POST' | 'PUT', group: string, access: string) =>
  hub.console(method, `/mcp/access-matrix${method === 'POST' ? '/preview' : ''}`, {
    body: { group_id: group, backend_id: backendId, access },
  });
const rules = async () => (await hub.console('GET', '/mcp/rules')).body.items;

it('lists servers, groups with their members, and open cells', async () => {
  expect(await matrix()).toMatchObject({
    servers: [{ backend_id: backendId, name: 'Matrix', enabled: true, user_rules: 0 }],
    groups: [
      { group_id: ops, name: 'Ops', member_count: 2 },
      { group_id: sales, name: 'Sales', member_count: 0 },
    ],
  });
  expect(await column()).toEqual(['all', 'all', 'all']);
});

it('previews a reserved server, reserves it, and allows a second group', async () => {
  const preview = await change('POST', ops, 'only');
  expect(preview.body).toMatchObject({
    is_possible: true,
    changes: [
      { group_id: null, from: 'all', to: 'none' },
      { group_id: sales, from: 'all', to: 'none' },
    ],
  });
  expect(await rules()).toEqual([]);
  expect((await change('PUT', ops, 'only')).body).toMatchObject({
    created: [{ effect: 'allow', backend_id: backendId, tool: null }],
    deleted: [],
  });
  expect(await column()).toEqual(['all', 'none', 'none']);
  await change('PUT', sales, 'all');
  expect(await column()).toEqual(['all', 'all', 'none']);
  const { body } = await hub.console('GET', '/audit?operation=mcp_rule.create');
  expect(body.items).toHaveLength(2);
});

it('takes access back by deleting the rule of the group', async () => {
  const answer = await change('PUT', sales, 'none');
  expect(answer.body.created).toEqual([]);
  expect(answer.body.deleted).toHaveLength(1);
  expect(await column()).toEqual(['all', 'none', 'none']);
});

it('refuses a change where a rule for all servers decides, and unknown groups and servers', async () => {
  const body = { effect: 'deny', subject: { kind: 'group', group_id: sales } };
  await hub.console('POST', '/mcp/rules', { body });
  expect((await change('POST', sales, 'all')).body).toMatchObject({ is_possible: false });
  expect((await change('PUT', sales, 'all')).status).toBe(412);
  const nobody = '00000000-0000-4000-8000-000000000000';
  expect((await change('PUT', nobody, 'all')).status).toBe(400);
});
