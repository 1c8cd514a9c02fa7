// Erasure of a user removes their address everywhere except in their account, and closes everything of theirs.
import { createApprovals } from '@gatewarden/hub/src/features/mcp/call-approvals/index.ts';
import { disableUser, listUsers } from '@gatewarden/hub/src/features/people/identity/index.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aPerson, aToken, signedInBrowser } from '../support/mcp-client.ts';
import { type McpHub, startMcpHub } from '../support/mcp-hub.ts';
import { aModernServer, type Running } from '../support/mcp-servers.ts';

let mcp: McpHub;
let modern: Running;

beforeAll(async () => {
  [mcp, modern] = await Promise.all([startMcpHub(), aModernServer()]);
});
afterAll(async () => {
  await mcp.hub.stop();
  await modern.close();
});

test("erases the user's data of the MCP gateway, disabled or not", async () => {
  const { hub } = mcp;
  const { db } = hub.context.database;
  const backend = await mcp.aBackend('own', modern.url, {
    auth: { kind: 'personal_key', header: 'X-Key' },
  });
  const person = await aPerson(hub);
  const secondPerson = await aPerson(hub);
  const userHeaders = {
    authorization: `Bearer ${await aToken(hub, person.email, { prefix: '/gwone' })}`,
  };
  const browser = await signedInBrowser(hub, person.email);
  const stored = await browser.console('PUT', `/mcp/connections/${backend.id}`, { secret: 'k' });
  expect(stored.status).toBe(200);
  const group = await hub.console('POST', '/people-groups', {
    body: { name: 'Both', members: [person.email, secondPerson.email] },
  });
  expect(group.status).toBe(201);
  for (const email of [person.email, secondPerson.email]) {
    const rule = await hub.console('POST', '/mcp/rules', {
      body: { effect: 'allow', subject: { kind: 'person', email } },
    });
    expect(rule.status).toBe(201);
  }
  const approvals = createApprovals(db, hub.context.sealer);
  const asked = {
    tenantId: hub.tenantId,
    ruleId: crypto.randomUUID(),
    backendId: backend.id,
    tool: 'x',
    arguments: {},
    byReviewer: true,
  };
  await approvals.request({ ...asked, email: person.email });
  await approvals.request({ ...asked, email: secondPerson.email });
  const found = (await listUsers(db, hub.tenantId)).find((user) => user.email === person.email);
  await disableUser(db, hub.tenantId, found?.user_id ?? '');

  const path = `/people/${encodeURIComponent(person.email)}/erase`;
  const erased = await hub.console('POST', path, { body: {} });
  // The token, the key, the approval, the rule and the place in the group.
  expect(erased.body).toMatchObject({ mcp_rows: 5 });
  const { pool } = hub.context.database;
  const tables = await pool.query<{ name: string }>(`
    SELECT table_name AS name FROM information_schema.tables
    WHERE table_schema = 'public' AND table_type = 'BASE TABLE'
      AND table_name NOT IN ('accounts', 'members', 'sessions', 'login_attempts')`);
  for (const { name } of tables.rows) {
    const left = await pool.query(
      `SELECT 1 FROM "${name}" t
      WHERE strpos(lower((to_jsonb(t) - 'actor' - 'created_by')::text), $1) > 0`,
      [person.email.toLowerCase()],
    );
    expect([name, left.rows.length]).toEqual([name, 0]);
  }
  const others = await hub.console('GET', '/mcp/rules');
  expect(others.body.items).toMatchObject([
    { subject: { kind: 'person', email: secondPerson.email } },
  ]);
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
  await expect.poll(async () => (await mcp.post(ping, userHeaders)).status).toBe(401);
});
