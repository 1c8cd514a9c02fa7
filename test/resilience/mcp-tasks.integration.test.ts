// The gateway offers no tasks: a server that has them is told of none, and answers a call with its answer, which rules and
// the log see.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type McpHub, startMcpHub, toolCallRow } from '../support/mcp-hub.ts';
import { aSession, type Message, modern, send } from '../support/mcp-messages.ts';
import { anOldServer, type Running } from '../support/mcp-servers.ts';

const TASKS = 'io.modelcontextprotocol/tasks';
let at: McpHub;
let server: Running;
const calls: Record<string, unknown>[] = [];

beforeAll(async () => {
  at = await startMcpHub();
  server = await anOldServer({
    'tools/call'(params) {
      calls.push(params);
      if (params.task !== undefined) return { task: { taskId: 't1', status: 'working' } };
      return { content: [{ type: 'text', text: 'done, by ada.secret@example.com' }] };
    },
  });
  await at.aBackend('slow', server.url);
  const definition = {
    kind: 'guardrail',
    direction: 'output',
    action: 'redact',
    detectors: ['email'],
  };
  const made = await at.hub.console('POST', '/mcp/call-rules', {
    body: { name: 'mail', definition },
  });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
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

test.each(['legacy', 'modern'])('a call as a task is a call, of a %s client', async (era) => {
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
  const begun = server.requests.findLast((one) => one.body.includes('"initialize"'));
  const told = JSON.parse(begun?.body ?? '').params.capabilities;
  expect(told).toEqual({ sampling: {}, extensions: { 'io.example/other': { a: 1 } } });
});
