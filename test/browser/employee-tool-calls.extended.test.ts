// A Member's own calls of MCP tools: real calls through the gateway, each with how it ended and why it was refused.
import { randomUUID } from 'node:crypto';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openChromium } from '../support/chromium.ts';
import { expectSound, goTo, openPage, settled, signIn } from '../support/console.ts';
import { PASSWORD } from '../support/mcp-client.ts';
import { aCall, type McpHub, startMcpHub, toolCallRow } from '../support/mcp-hub.ts';
import { aServer, type Running } from '../support/mcp-servers.ts';

let m: McpHub;
let server: Running;
let browser: Browser;

beforeAll(async () => {
  browser = await openChromium();
  m = await startMcpHub();
  server = await aServer((_request, response, body) => {
    const { id, method } = JSON.parse(body);
    if (method === 'server/discover') return void response.writeHead(404).end();
    const tools = ['read', 'write'].map((name) => ({ name, inputSchema: { type: 'object' } }));
    const result = method === 'tools/list' ? { tools } : { content: [] };
    response.writeHead(id === undefined ? 202 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
  });
});
afterAll(async () => {
  await browser?.close();
  await m?.hub.stop();
  await server?.close();
});

it.each([
  ['light', 1280],
  ['dark', 390],
] as const)(
  'notifies the caller of a denied tool call on arrival, in %s at %i pixels',
  async (scheme, width) => {
    const { hub } = m;
    const opened = await openPage(browser, { scheme, width });
    const { page, context, troubles } = opened;
    await signIn(page, hub, { email: m.email, password: PASSWORD, userId: '' });
    const slug = `files-${width}`;
    const { id: backendId } = await m.aBackend(slug, server.url);
    await hub.console('POST', '/mcp/rules', {
      body: {
        effect: 'deny',
        backend_id: backendId,
        tool: 'write',
        subject: { kind: 'everybody' },
        reason: 'Files are only read here',
      },
    });
    await goTo(page, hub, 'my/activity');
    for (const tool of ['read', 'write']) {
      const id = randomUUID();
      await m.post(aCall(`${slug}__${tool}`, id));
      await toolCallRow(hub, id);
    }
    const rows = page.getByTestId('own-call-row').filter({ hasText: `The ${slug}` });
    await expect.poll(() => rows.count()).toBe(2);
    const texts = await rows.allTextContents();
    expect(texts[0]).toContain('write');
    expect(texts[0]).toContain('A rule denies it');
    expect(texts[1]).toContain('Passed');
    await page.getByRole('combobox', { name: 'Outcome' }).selectOption('Blocked only');
    await expect.poll(() => rows.count()).toBe(1);
    await page.reload();
    await settled(page);
    expect(await rows.count()).toBe(1);
    expect(await page.content()).not.toContain('hunter2');
    await rows.getByRole('button', { name: `Why: The ${slug}: write` }).click();
    const chain = page.getByTestId('why');
    await chain.getByText('Files are only read here', { exact: true }).waitFor();
    const links = await chain.getByRole('listitem').allTextContents();
    expect(links.join(' ')).toContain('A rule denies it');
    // The chain links the author of the rule and the event of the audit trail.
    expect(links.join(' ')).toMatch(/admin@example\.com.*Event [0-9a-f-]{36}/);
    expect(new URL(page.url()).search).toMatch(/why=own-call\./);
    expect(await chain.getByRole('link').count()).toBe(0);
    await page.reload();
    await chain.getByText('Files are only read here', { exact: true }).waitFor();
    await expectSound({ page, context, troubles });
    await context.close();
  },
);
