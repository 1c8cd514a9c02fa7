// Random access policies, users and tools: lists, calls and the explanation without a call agree with each other and
// with a reference evaluation.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aPerson, aToken } from '../support/mcp-client.ts';
import { type McpHub, startMcpHub } from '../support/mcp-hub.ts';
import { aServer, type Running } from '../support/mcp-servers.ts';
import { propertyRuns } from '../support/property-runs.ts';

const TOOLS = ['read', 'Read', 'write', 'write_all', 'rea*d'];
const NAMES = ['ann', 'bob', 'outsider'] as const;
const emailOf = (name: string) => `${name}@example.com`;
const GROUPS: string[][] = [
  ['ann', 'bob'],
  ['bob', 'outsider'],
];

interface Way {
  email: string | null;
  backendId: string;
  path: string;
  prefix: string;
  headers: Record<string, string>;
}

let m: McpHub;
let server: Running;
let ways: Way[];
const backends: Record<string, string> = {};
const groupIds: string[] = [];

beforeAll(async () => {
  m = await startMcpHub();
  server = await aServer((_request, response, body) => {
    const { id, method } = JSON.parse(body);
    if (method === 'server/discover') return void response.writeHead(404).end();
    const results: Record<string, object> = {
      'tools/list': { tools: TOOLS.map((name) => ({ name, inputSchema: { type: 'object' } })) },
      'resources/read': { contents: [] },
    };
    response.writeHead(id === undefined ? 202 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result: results[method] ?? {} }));
  });
  await m.hub.console('PUT', '/mcp/settings', { body: { allowed_email_domains: ['example.com'] } });
  for (const kind of ['none', 'passthrough']) {
    backends[kind] = (await m.aBackend(kind, server.url, { auth: { kind } })).id;
  }
  const { none = '', passthrough = '' } = backends;
  const issued = await m.hub.console('POST', `/mcp/backends/${none}/api-tokens`, {
    body: { name: 'Shared', agent: 'bot' },
  });
  ways = NAMES.map((name) => ({
    email: emailOf(name),
    backendId: none,
    path: '/none/mcp',
    prefix: '',
    headers: {
      authorization: `Bearer ${issued.body.token.secret}`,
      mcpuser: emailOf(name),
      'user-agent': 'bot/1',
    },
  }));
  for (const name of ['ann', 'bob']) {
    const { email } = await aPerson(m.hub, 'Member', m.hub.tenantId, emailOf(name));
    const headers = async (prefix: string) => ({
      authorization: `Bearer ${await aToken(m.hub, email, { prefix })}`,
    });
    const way = { email, backendId: none };
    ways.push({ ...way, path: '/gwone/mcp', prefix: 'none__', headers: await headers('/gwone') });
    ways.push({ ...way, path: '/none/mcp', prefix: '', headers: await headers('/none') });
  }
  const theirs = { authorization: 'Bearer of-their-own-login' };
  const way = { email: null, backendId: passthrough };
  ways.push({ ...way, path: '/passthrough/mcp', prefix: '', headers: theirs });
  for (const members of GROUPS) {
    const { body } = await m.hub.console('POST', '/people-groups', {
      body: { name: `Group ${groupIds.length}`, members: members.map(emailOf) },
    });
    groupIds.push(body.group.people_group_id);
  }
});
afterAll(async () => {
  await m.hub.stop();
  await server.close();
});

const rule = fc.record({
  effect: fc.constantFrom('allow', 'allow', 'deny'),
  backend: fc.constantFrom(null, 'none', 'passthrough'),
  tool: fc.constantFrom(null, ...TOOLS, 'write*', 'r*', '*d', '*'),
  subject: fc.oneof(
    fc.constant({ kind: 'everybody' as const }),
    fc.record({ kind: fc.constant('group' as const), at: fc.nat(GROUPS.length - 1) }),
    fc.record({ kind: fc.constant('person' as const), name: fc.constantFrom(...NAMES) }),
  ),
});
type Made = typeof rule extends fc.Arbitrary<infer One> ? One : never;

/** Implements the rules of docs/adr/0045-deny-wins-access-policies.md a second time. */
function mayUse(rules: readonly Made[], way: Way, tool: string | null): boolean {
  const pattern = (text: string) =>
    new RegExp(`^${text.split('*').map(RegExp.escape).join('.*')}$`);
  const aimed = rules.filter(
    (rule) =>
      (rule.backend === null || backends[rule.backend] === way.backendId) &&
      (rule.tool === null || (tool !== null && pattern(rule.tool).test(tool))),
  );
  const meets = ({ subject }: Made, ifUnknown: boolean) => {
    if (subject.kind === 'everybody') return true;
    if (way.email === null) return ifUnknown;
    const names = subject.kind === 'person' ? [subject.name] : (GROUPS[subject.at] ?? []);
    return names.map(emailOf).includes(way.email);
  };
  if (aimed.some((item) => item.effect === 'deny' && meets(item, true))) return false;
  const narrow = (item: Made) => {
    const letters = item.tool === null ? -1 : item.tool.replaceAll('*', '').length;
    const isNamed = item.tool !== null && !item.tool.includes('*');
    return (isNamed ? 1_000 : 0) + letters * 2 + (item.backend === null ? 0 : 1);
  };
  const allowing = aimed.filter((item) => item.effect === 'allow');
  const narrowest = Math.max(...allowing.map(narrow));
  const counting = allowing.filter((item) => narrow(item) === narrowest);
  return counting.length === 0 || counting.some((item) => meets(item, false));
}

async function ask({ path, headers }: Way, method: string, params: object = {}) {
  const message = { jsonrpc: '2.0', id: 1, method, params };
  // biome-ignore lint/suspicious/noExplicitAny: answers of the protocol
  return (await (await m.post(message, headers, path)).json()) as any;
}

async function seenBy(way: Way) {
  const { prefix } = way;
  const listed = await ask(way, 'tools/list');
  const called: string[] = [];
  const explained: string[] = [];
  const email = encodeURIComponent(way.email ?? emailOf('ann'));
  const explainsAccess = async (tool: string | null) => {
    const of = tool === null ? '' : `&tool=${encodeURIComponent(tool)}`;
    const path = `/mcp/backends/${way.backendId}/access?email=${email}${of}`;
    return (await m.hub.console('GET', path)).body.items[0].allowed as boolean;
  };
  for (const tool of TOOLS) {
    const params = { name: prefix + tool, arguments: {} };
    if ((await ask(way, 'tools/call', params)).error === undefined) called.push(tool);
    if (await explainsAccess(tool)) explained.push(tool);
  }
  const uri = prefix === '' ? 'memo://a' : 'gw-none+memo://a';
  return {
    listed: listed.result.tools.map(
      (tool: { name: string; _meta?: Record<string, string> }) =>
        tool._meta?.['dev.gatewarden/original_name'] ?? tool.name.slice(prefix.length),
    ),
    called,
    explained,
    reads: (await ask(way, 'resources/read', { uri })).error === undefined,
    explainsRead: await explainsAccess(null),
  };
}

test('evaluates lists, calls and explanations alike for random policies and every way to connect', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(rule, { minLength: 1, maxLength: 6 }), async (rules) => {
      const created: { rule_id: string; version: string }[] = [];
      for (const { effect, backend, tool, subject } of rules) {
        const whom = {
          everybody: {},
          group: { group_id: subject.kind === 'group' ? groupIds[subject.at] : '' },
          person: { email: subject.kind === 'person' ? emailOf(subject.name).toUpperCase() : '' },
        };
        const { body } = await m.hub.console('POST', '/mcp/rules', {
          body: {
            ...{ effect, tool, backend_id: backend === null ? null : backends[backend] },
            subject: { kind: subject.kind, ...whom[subject.kind] },
          },
        });
        created.push(body.rule);
      }
      try {
        for (const way of ways) {
          const tools = TOOLS.filter((tool) => mayUse(rules, way, tool));
          const reads = mayUse(rules, way, null);
          expect({ way: way.path, who: way.email, ...(await seenBy(way)) }).toEqual({
            ...{ way: way.path, who: way.email, listed: tools, called: tools, explained: tools },
            ...{ reads, explainsRead: reads },
          });
        }
      } finally {
        for (const { rule_id: id, version } of created) {
          await m.hub.console('DELETE', `/mcp/rules/${id}`, { headers: { 'if-match': version } });
        }
      }
    }),
    { numRuns: propertyRuns(12) },
  );
});
