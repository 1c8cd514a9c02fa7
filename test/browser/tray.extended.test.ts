// The tray app's window over a real agent and a real hub: it shows what the service reports, and requests made there
// reach a reviewer, whose exception comes back.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openChromium } from '../support/chromium.ts';
import { expectSound, markupOf } from '../support/console.ts';
import { startTestHub, type TestHub } from '../support/hub.ts';
import {
  type AgentApart,
  serveTray,
  startAgentApart,
  type Tray,
  whyNoneApart,
} from '../support/tray.ts';

const WHY_NOT = whyNoneApart();
if (WHY_NOT !== null) process.stdout.write(`skipped: the tray app over a real agent: ${WHY_NOT}\n`);

const WEEK_MS = 7 * 86_400_000;
const MARKUP = '<img src=x onerror=alert(1)>';
/** Turns what follows it around, has no width, is no letter; as long as a name may be. */
const HOSTILE = `\u202e${MARKUP}\u{1f600}\u200b"'&lt;${'w'.repeat(512)}`.slice(0, 512);

describe.skipIf(WHY_NOT !== null)('the tray app', () => {
  let hub: TestHub;
  let browser: Browser;
  let tray: Tray;
  let agent: AgentApart;

  const decide = (match: object, policy: string, reason: string | null) =>
    hub.console('POST', '/overrides', {
      body: {
        match,
        approval_status: 'restricted',
        execution_policy: policy,
        reason,
        scope: { kind: 'tenant' },
      },
    });

  beforeAll(async () => {
    browser = await openChromium();
    hub = await startTestHub();
    tray = await serveTray(browser);
    await decide({ name: 'gw-warned' }, 'warn', `Ask Bob ${MARKUP}`);
    await decide({ name: 'gw-ended' }, 'block', 'It sends source code to a stranger');
    await decide({ name: HOSTILE }, 'block', HOSTILE);
    const { body } = await hub.console('GET', '/tray-setting');
    await hub.console('PUT', '/tray-setting', {
      headers: { 'if-match': body.version },
      body: { pause_minutes: 20, contact: `Bob ${MARKUP}` },
    });
    const offered = await hub.console('POST', '/mcp/backends', {
      body: {
        ...{ slug: 'files', name: `Files ${MARKUP}`, auth: { kind: 'none' } },
        url: 'https://mcp.example.com/mcp',
      },
    });
    expect(offered.status).toBe(201);
    const quarantine = await decide(
      { name: 'gw-quarantined-server' },
      'quarantine',
      'It reads every mail',
    );
    expect(quarantine.status).toBe(201);
    agent = await startAgentApart(hub, 'alice@example.com', ['gw-warned', 'gw-ended'], {
      sources: ['dpkg', 'mcp_config'],
      home: {
        '.cursor/mcp.json': JSON.stringify({
          mcpServers: {
            notes: { command: 'npx', args: ['-y', 'gw-approved-server@1.2.0'] },
            free: { command: 'npx', args: ['-y', 'gw-free-server'] },
            quarantined: { command: 'npx', args: ['-y', 'gw-quarantined-server'] },
          },
        }),
      },
    });
  });
  afterAll(async () => {
    await agent?.end();
    await tray?.close();
    await browser?.close();
    await hub?.stop();
  });

  const goTo = (page: Page, name: string) =>
    page.getByRole('navigation', { name: 'Pages' }).getByRole('button', { name }).click();

  // Both schemes and both widths, each once: colours do not depend on the width.
  describe.each([
    ['light', 560],
    ['dark', 360],
  ] as const)('in %s at %i pixels', (scheme, width) => {
    it('keeps every page accessible and within the window, and shows names as text', async () => {
      const opened = await tray.open(agent.dataDir, { scheme, width });
      const { page } = opened;
      await page.getByText('Everything is in order').waitFor();
      await expect.poll(() => page.getByTestId('notice').count()).toBe(2);
      await page.getByText(`Whom to ask: Bob ${MARKUP}`).waitFor();
      await expectSound(opened);
      await goTo(page, 'Decisions');
      await expect.poll(() => page.getByTestId('decision').count()).toBe(4);
      expect(await page.getByTestId('decision').getByText(HOSTILE, { exact: true }).count()).toBe(
        1,
      );
      await expectSound(opened);
      await page.getByRole('button', { name: 'Ask for an exception for gw-ended' }).click();
      await page.getByRole('dialog').waitFor();
      await expectSound(opened);
      await page.keyboard.press('Escape');
      const hostile = page.getByTestId('decision').filter({ hasText: '\u{1f600}' });
      await hostile.getByRole('button', { name: 'Why' }).click();
      await page.getByTestId('why').waitFor();
      await expectSound(opened);
      await page.keyboard.press('Escape');
      await goTo(page, 'MCP servers');
      await expect.poll(() => page.getByTestId('server').count()).toBe(3);
      await expect.poll(() => page.getByTestId('offered').count()).toBe(2);
      await expectSound(opened);
      await goTo(page, 'Running');
      await page.getByTestId('process').getByText('gw-warned').first().waitFor();
      await expectSound(opened);
      await goTo(page, 'What is sent');
      await page.getByTestId('entity').first().waitFor();
      await page.getByLabel('Search what was found').fill('bash');
      await page.getByTestId('entity').first().getByText('As it is sent').click();
      await page.getByTestId('entity').first().getByText('"source": "dpkg"').waitFor();
      expect(await markupOf(page)).toEqual([]);
      await expectSound(opened);
      await opened.context.close();
    });
  });

  it("requests an exception by keyboard, and shows the reviewer's grant", async () => {
    const { page, troubles, context } = await tray.open(agent.dataDir);
    await page.getByTestId('notice').getByText(`Ask Bob ${MARKUP}`).waitFor();
    await tabTo(page, 'Decisions');
    await page.keyboard.press('Enter');
    await page.getByTestId('decision').getByText('It sends source code').waitFor();
    await tabTo(page, 'Ask for an exception for gw-ended');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await dialog.getByText('Write why you need it.').waitFor();
    await page.getByLabel('Why you need it').focus();
    await page.keyboard.type('For the <i>report</i>');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText('You asked for gw-ended. It is on its way.').waitFor();
    const open = async () => (await hub.console('GET', '/access-requests')).body.items;
    await expect.poll(async () => (await open()).length).toBe(1);
    const [asked] = await open();
    expect(asked).toMatchObject({ process_name: 'gw-ended', reason: 'For the <i>report</i>' });
    const granted = await hub.console('POST', `/access-requests/${asked.access_request_id}/grant`, {
      token: await hub.tokenFor('Reviewer'),
      headers: { 'if-match': asked.version },
      body: {
        match: asked.exception.match,
        expires_at: new Date(Date.now() + WEEK_MS).toISOString(),
        reason: 'Until the report is done',
      },
    });
    expect(granted.status).toBe(200);
    const exception = page.getByTestId('decision').filter({ hasText: 'for this device' });
    await exception.getByText('Allowed').waitFor();
    await exception.getByText(/for this device .* until /).waitFor();
    expect(troubles).toEqual([]);
    await context.close();
  });

  it("shows the company's policy for each MCP server, and a server that was removed from its configuration", async () => {
    const { page, troubles, context } = await tray.open(agent.dataDir);
    await goTo(page, 'MCP servers');
    const row = (name: string) => page.getByTestId('server').filter({ hasText: name });
    await row('gw-free-server').getByText('Nobody has decided').waitFor();
    await row('gw-free-server').getByText('set up in cursor').waitFor();
    await row('gw-quarantined-server').getByText('Taken out of its configuration').waitFor();
    const found = async () =>
      (await hub.console('GET', '/discovered-apps?query=gw-approved')).body.items[0]?.entity_id;
    await expect.poll(found).toBeTypeOf('string');
    const approval = await hub.console('POST', '/overrides', {
      body: {
        match: { entity_id: await found() },
        approval_status: 'approved',
        execution_policy: 'allow',
        reason: 'Ours',
        scope: { kind: 'tenant' },
      },
    });
    await row('gw-approved-server').getByText('Approved', { exact: true }).waitFor();
    await tabTo(page, 'Why: gw-approved-server');
    await page.keyboard.press('Enter');
    const chain = page.getByRole('dialog').getByTestId('why');
    await chain.getByText('Ours').waitFor();
    const { override_id: id, revision } = approval.body.override;
    await chain.getByText(`decision ${id}, revision ${revision}`).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await tabTo(page, 'Ask for an exception for gw-quarantined-server');
    expect(troubles).toEqual([]);
    await context.close();
  });

  it('adds an offered server to a client by a click, and removes it by another', async () => {
    const { page, troubles, context } = await tray.open(agent.dataDir);
    const file = join(agent.dataDir, 'home/.cursor/mcp.json');
    await goTo(page, 'MCP servers');
    // A quarantined server has left the file by now.
    await page.getByText('Taken out of its configuration').waitFor();
    const before = readFileSync(file, 'utf8');
    await tabTo(page, `Add to Cursor: Files ${MARKUP}`);
    await page.keyboard.press('Enter');
    await page.getByText(`Files ${MARKUP} is in ~/.cursor/mcp.json now.`).waitFor();
    const { mcpServers } = JSON.parse(readFileSync(file, 'utf8'));
    expect(mcpServers.files).toEqual({ url: `${hub.url}/files/mcp` });
    expect(await markupOf(page)).toEqual([]);
    await tabTo(page, `Take out of Cursor: Files ${MARKUP}`);
    await page.keyboard.press('Enter');
    await page.getByText(`Files ${MARKUP} was taken out of ~/.cursor/mcp.json.`).waitFor();
    expect(readFileSync(file, 'utf8')).toBe(before);
    expect(troubles).toEqual([]);
    await context.close();
  });

  it('explains a running program and past events by the policy', async () => {
    const { page, troubles, context } = await tray.open(agent.dataDir);
    await page.getByTestId('notice').filter({ hasText: 'Ended' }).waitFor();
    await page.getByRole('button', { name: 'Why: gw-ended' }).click();
    const chain = page.getByRole('dialog').getByTestId('why');
    await chain.getByText('It sends source code to a stranger').waitFor();
    await chain.getByText('named gw-ended').waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await goTo(page, 'Running');
    await page.getByRole('button', { name: 'Why: gw-warned' }).first().click();
    await chain.getByText(`Ask Bob ${MARKUP}`).first().waitFor();
    await chain.getByText('for everyone').first().waitFor();
    expect(await markupOf(page)).toEqual([]);
    expect(troubles).toEqual([]);
    await context.close();
  });

  it('starts and ends an allowed pause, and raises an alert for administrators', async () => {
    const { page, troubles, context } = await tray.open(agent.dataDir);
    await page.getByLabel('For how long').selectOption('15 minutes');
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('Only watches and reports').waitFor();
    await page.getByText('You paused it.').waitFor();
    await page.getByText(/^The agent only watches until /).waitFor();
    await page.getByRole('status').getByText('Paused').waitFor();
    const alerts = async () => (await hub.console('GET', '/alerts')).body.items;
    const pauseAlerts = async () =>
      (await alerts()).filter((alert: { code: string }) => alert.code === 'pause');
    await expect.poll(async () => (await pauseAlerts()).length).toBe(1);
    await page.getByRole('button', { name: 'End the pause' }).click();
    await page.getByText('Carries out what was decided').waitFor();
    await page.getByText('20 minutes are left').or(page.getByText('19 minutes are left')).waitFor();
    expect(troubles).toEqual([]);
    await context.close();
  });

  it('reports that the service is missing, and retries', async () => {
    const { page, troubles, context } = await tray.open('/nowhere');
    await page.getByText('The agent does not run').waitFor();
    await page.getByText('No agent runs on this device.').waitFor();
    expect(troubles).toEqual([]);
    await context.close();
  });
});

async function tabTo(page: Page, name: string): Promise<void> {
  // The hub's answer arrives after the state that the agent has locally.
  await page.getByRole('button', { name, exact: true }).waitFor();
  for (let steps = 0; steps < 80; steps++) {
    await page.keyboard.press('Tab');
    const { text, label } = (await page.evaluate(
      '({ text: document.activeElement.textContent, label: document.activeElement.ariaLabel })',
    )) as { text: string; label: string | null };
    if ((label ?? text) === name) return;
  }
  throw new Error(`no tab leads to ${name}`);
}
