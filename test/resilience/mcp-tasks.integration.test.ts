// The gateway offers no tasks: it announces none to servers, and runs a task call as an ordinary call with guardrails
// and a log row.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type McpHub, startMcpHub, toolCallRow } from '../support/mcp-hub.ts';
import { aSession, type Message, modern, send } from '../support/mcp-messages.ts';
import { anOldServer, aServer, type Running } from '../support/mcp-servers.ts';

const TASKS = 'io.modelcontextprotocol/tasks';
const OBJECT = { type: 'object' };
const NOT_SO = { type: 'text', text: 'MCP error -32601: Tool research requires task augmentation' };
let at: McpHub;
let server: Running;
let backendId: string;
const calls: Record<string, unknown>[] = [];

beforeAll(async () => {
  at = await startMcpHub();
  server = await anOldServer({
    'tools/list': () => ({
      tools: [
        { name: 'build', inputSchema: OBJECT, execution: { taskSupport: 'optional' } },
        { name: 'research', inputSchema: OBJECT, execution: { taskSupport: 'required' } },
      ],
    }),
    'tools/call'(params) {
      calls.push(params);
      // The official SDK answers so.
      if (params.name === 'research') return { isError: true, content: [NOT_SO] };
      if (params.task !== undefined) return { task: { taskId: 't1', status: 'working' } };
      return { content: [{ type: 'text', text: 'done, by ada.secret@example.com' }] };
    },
  });
  backendId = (await at.aBackend('slow', server.url)).id;
  const definition = {
    kind: 'guardrail',
    direction: 'output',
    action: 'redact',
    detectors: ['email'],
  };
  const created = await at.hub.console('POST', '/mcp/call-rules', {
    body: { name: 'mail', definition },
  });
  expect(created.status, JSON.stringify(created.body)).toBe(201);
});
afterAll(async () => {
  await at.hub.stop();
  await server.close();
});

const aTask = (id: string) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: 'slow__build', arguments: { n: 1 }, task: { ttl: 60_000 } },
});

test.each(['legacy', 'modern'])(
  'runs a task call of a %s client as an ordinary call',
  async (era) => {
    const capabilities = {
      sampling: {},
      tasks: { requests: { sampling: { createMessage: {} } } },
      extensions: { [TASKS]: {}, 'io.example/other': { a: 1 } },
    };
    const asked =
      era === 'modern'
        ? modern(aTask(era), capabilities)
        : { body: aTask(era), headers: await aSession(at.hub, at.token, capabilities) };
    const answer = await send(at.hub, at.token, asked.body, asked.headers);
    const { result } = (await answer.json()) as Message;
    expect(result.task).toBeUndefined();
    expect(result.content[0].text).toMatch(/^done, by (?!ada)/);
    expect(calls.at(-1)).not.toHaveProperty('task');
    expect((await toolCallRow(at.hub, era)).guardrails.output.outcome).toBe('redacted');
    const initialize = server.requests.findLast((request) => request.body.includes('"initialize"'));
    const announced = JSON.parse(initialize?.body ?? '').params.capabilities;
    expect(announced).toEqual({ sampling: {}, extensions: { 'io.example/other': { a: 1 } } });
  },
);

test('hides a tool that requires a task, and explains its rejected call', async () => {
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  const listed = (await (await send(at.hub, at.token, list)).json()) as Message;
  expect(listed.result.tools.map((tool: { name: string }) => tool.name)).toEqual(['slow__build']);
  const named = { ...aTask('research'), params: { name: 'slow__research', arguments: {} } };
  const answer = (await (await send(at.hub, at.token, named)).json()) as Message;
  expect(answer.error).toEqual({
    code: -32601,
    message: 'The tool "research" is task-only, and the gateway doesn\'t support tasks.',
  });
  expect(JSON.stringify(await toolCallRow(at.hub, 'research'))).toContain('task-only');
});

test('explains on the page that a task-only tool cannot be called, once tools are approved', async () => {
  const pinned = await at.hub.console('POST', `/mcp/backends/${backendId}/pin-tools`);
  expect(pinned.status, JSON.stringify(pinned.body)).toBe(200);
  const { body } = await at.hub.console('GET', `/mcp/access?email=${at.email}`);
  const reasons = (body.items as { tool: string | null; reason: string }[])
    .filter((item) => item.tool !== null)
    .map((item) => [item.tool, item.reason]);
  expect(reasons).toEqual([
    ['build', 'no_rule'],
    ['research', 'tool_task_only'],
  ]);
});

test('explains a task-only tool after a server error without a previous list', async () => {
  const refusing = await aServer((_request, response, body) => {
    const { id, method } = JSON.parse(body);
    if (method === 'server/discover') return void response.writeHead(404).end();
    if (id === undefined) return void response.writeHead(202).end();
    const result = {
      initialize: {
        protocolVersion: '2025-11-25',
        capabilities: { tools: {} },
        serverInfo: { name: 's', version: '1' },
      },
      'tools/list': {
        tools: [
          { name: 'only', inputSchema: OBJECT, execution: { taskSupport: 'required' } },
          { name: 'gone', inputSchema: OBJECT },
        ],
      },
    }[method as string];
    const error = { code: -32601, message: 'Not so' };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id, ...(result ? { result } : { error }) }));
  });
  await at.aBackend('refusing', refusing.url);
  const refusalOf = async (name: string) => {
    const called = { jsonrpc: '2.0', id: name, method: 'tools/call', params: { name } };
    return ((await (await send(at.hub, at.token, called)).json()) as Message).error?.message;
  };
  expect(await refusalOf('refusing__only')).toMatch(/task-only/);
  // The server's own message is passed on if it refuses for another reason.
  expect(await refusalOf('refusing__gone')).toBe('Not so');
  await refusing.close();
});
