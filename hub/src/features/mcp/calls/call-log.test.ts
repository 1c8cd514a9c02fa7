// The log row of a tool call contains the known facts and nothing else.
import { expect, test } from 'vitest';
import { toolCallRow } from '../../logs/events/index.ts';
import { lineOf, type ToolCall } from './call-log.ts';

const TOOLS = { backend_id: '00000000-0000-4000-8000-000000000003', name: 'Tools' };
const call = (outcome: ToolCall['outcome']): ToolCall => ({
  eventId: '00000000-0000-4000-8000-000000000001',
  tenantId: '00000000-0000-4000-8000-000000000002',
  backend: TOOLS,
  rpcId: 1,
  tool: 'greet',
  method: 'tools/call',
  authMode: 'oauth',
  email: 'a@example.com',
  agent: null,
  arguments: {},
  startedAt: 2_000,
  completedAt: 1_000,
  outcome,
  extra: {},
  decided: { token_id: null, backend_version: 1, access: null, approval_id: null },
});

test('logs a running call without end and outcome, and updates the same row', () => {
  const running = lineOf(call({ kind: 'running' }));
  expect(running).toMatchObject({
    request: { completed_at: null },
    response: { success: null, error_message: null },
    guardrails: { input: { outcome: 'normal', is_blocked: false }, output: { outcome: null } },
  });
  const ended = lineOf(call({ kind: 'answered', content: [], isError: false }));
  expect(ended.event_id).toBe(running.event_id);
  expect(ended.request.completed_at).toBe(ended.request.started_at);
  expect(ended.response?.success).toBe(true);
});

test.each([
  ['failed', false, 'it broke'],
  ['blocked', true, 'not here'],
] as const)('logs the reason of a call that %s', (kind, is_blocked, message) => {
  expect(lineOf(call({ kind, message }))).toMatchObject({
    response: { success: false, error_message: message },
    guardrails: { input: { outcome: is_blocked ? 'blocked' : 'normal', is_blocked } },
  });
});

test('stores rows beside a value that the database cannot store', () => {
  const odd = { ...call({ kind: 'answered', content: ['a\0'], isError: false }), rpcId: 'i\0' };
  const line = lineOf({ ...odd, tool: 'greet\0', arguments: { 'k\0': 'v\ud800' } });
  const row = toolCallRow(line, 2_000_000, {
    tenantId: odd.tenantId,
    backend: TOOLS,
    storePayloads: true,
  });
  expect(row).toMatchObject({ tool_name: 'greet\ufffd', rpc_id: 'i\ufffd' });
  expect(JSON.parse(row.event).payload).toEqual({
    tool_arguments: { 'k\ufffd': 'v\ufffd' },
    response_content: ['a\ufffd'],
  });
  expect(row.event).not.toMatch(/\\u(0000|d8)/);
});
