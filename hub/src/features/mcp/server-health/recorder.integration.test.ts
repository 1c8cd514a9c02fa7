// The health recorder against a database that refuses a write.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type McpHub, startMcpHub } from '../../../../../test/support/mcp-hub.ts';
import { createHealthRecorder } from './recorder.ts';
import { selectHealth } from './store.ts';

let mcp: McpHub;
beforeAll(async () => {
  mcp = await startMcpHub();
});
afterAll(() => mcp?.hub.stop());

it('stores the next contact after a failed write, and then at most one contact a minute', async () => {
  const { id: backendId } = await mcp.aBackend('recorded', 'http://127.0.0.1:9/mcp');
  const { db } = mcp.hub.context.database;
  const server = { tenantId: mcp.hub.tenantId, backendId };
  let nowMs = 0;
  const recorder = createHealthRecorder(db, () => nowMs);
  const storedError = async () =>
    (await selectHealth(db, server.tenantId)).find((row) => row.backend_id === backendId)
      ?.last_error;
  // PostgreSQL refuses text with NUL.
  const refused = { state: 'unreachable', error: 'a\u0000b', toolCount: null } as const;
  await expect(recorder.record(server, refused)).rejects.toThrow();
  expect(await storedError()).toBeUndefined();
  recorder.observe(server, 'unreachable', 'first');
  await expect.poll(storedError).toBe('first');
  recorder.observe(server, 'unreachable', 'within the minute');
  nowMs += 61_000;
  recorder.observe(server, 'unreachable', 'after the minute');
  await expect.poll(storedError).toBe('after the minute');
});
