// The life of an exception that is asked for in the tray app, over a real agent and a real hub: asked while the hub is away,
// asked twice, granted for a while and over again, declined; the page is compared with the hub's records.
import type { ChildProcess } from 'node:child_process';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openChromium } from '../support/chromium.ts';
import { startTestHub, type TestHub } from '../support/hub.ts';
import {
  type AgentApart,
  serveTray,
  startAgentApart,
  type Tray,
  whyNoneApart,
} from '../support/tray.ts';

const WHY_NOT = whyNoneApart();
if (WHY_NOT !== null) process.stdout.write(`skipped: exceptions over a real agent: ${WHY_NOT}\n`);

/** Longer than the agent and the page take to receive the grant. */
const FOR_MS = 12_000;

const endOf = (child: ChildProcess) =>
  new Promise((resolve) => child.once('exit', (code, signal) => resolve(code ?? signal)));

describe.skipIf(WHY_NOT !== null)('an exception asked for in the tray app', () => {
  let hub: TestHub;
  let browser: Browser;
  let tray: Tray;
  let agent: AgentApart;

  const decide = (name: string) =>
    hub.console('POST', '/overrides', {
      body: {
        match: { name },
        approval_status: 'restricted',
        execution_policy: 'block',
        reason: 'Not here',
        scope: { kind: 'tenant' },
      },
    });
  const requestsFor = async (name: string) =>
    (await hub.console('GET', '/access-requests')).body.items.filter(
      (process: { process_name: string }) => process.process_name === name,
    );
  const grant = async (name: string, forMs: number) => {
    const [asked] = await requestsFor(name);
    const { status } = await hub.console(
      'POST',
      `/access-requests/${asked.access_request_id}/grant`,
      {
        headers: { 'if-match': asked.version },
        body: {
          match: asked.exception.match,
          expires_at: new Date(Date.now() + forMs).toISOString(),
          reason: 'For a moment',
        },
      },
    );
    expect(status).toBe(200);
  };

  beforeAll(async () => {
    browser = await openChromium();
    hub = await startTestHub();
    tray = await serveTray(browser);
    for (const name of ['gw-timed', 'gw-declined', 'gw-away']) await decide(name);
    agent = await startAgentApart(hub, 'alice@example.com', []);
  });
  afterAll(async () => {
    await agent?.end();
    await tray?.close();
    await browser?.close();
    await hub?.stop();
  });

  const ask = async (page: Page, name: string, reason: string) => {
    await page
      .getByRole('navigation', { name: 'Pages' })
      .getByRole('button', { name: 'Decisions' })
      .click();
    await page
      .getByRole('button', { name: `Ask for an exception for ${name}`, exact: true })
      .click();
    await page.getByLabel('Why you need it').fill(reason);
    await page.getByRole('dialog').getByRole('button', { name: 'Ask', exact: true }).click();
    await page.getByText(`You asked for ${name}. It is on its way.`).waitFor();
  };

  it('grants temporary access: the program runs until it expires, and ends then', async () => {
    const { page, troubles, context } = await tray.open(agent.dataDir);
    expect(await endOf(agent.run('gw-timed'))).not.toBe(0);
    await ask(page, 'gw-timed', 'For a moment');
    await expect.poll(() => requestsFor('gw-timed')).toHaveLength(1);
    await grant('gw-timed', FOR_MS);
    const exception = page.getByTestId('decision').filter({ hasText: 'for this device' });
    await exception.getByText(/until /).waitFor();
    const began = agent.run('gw-timed');
    const end = endOf(began);
    await exception.getByText('not in force now').waitFor();
    expect(await end).not.toBe(0);
    const [asked] = await requestsFor('gw-timed');
    expect(Date.now()).toBeGreaterThan(Date.parse(asked.ends_at));
    expect(troubles).toEqual([]);
    await context.close();
  });

  it('creates a single request for repeated asking, and accepts a new request after a denial', async () => {
    const { page, troubles, context } = await tray.open(agent.dataDir);
    await ask(page, 'gw-declined', 'Please');
    await expect.poll(() => requestsFor('gw-declined')).toHaveLength(1);
    await ask(page, 'gw-declined', 'Please, really');
    await expect.poll(async () => (await requestsFor('gw-declined'))[0].asked).toBe(2);
    const [asked] = await requestsFor('gw-declined');
    expect(asked.reason).toBe('Please, really');
    const path = `/access-requests/${asked.access_request_id}/decline`;
    const headers = { 'if-match': asked.version };
    const declined = await hub.console('POST', path, { headers, body: { reason: 'No' } });
    expect(declined.status).toBe(200);
    await ask(page, 'gw-declined', 'And now');
    await expect.poll(() => requestsFor('gw-declined')).toHaveLength(2);
    const openRequests = await page
      .getByTestId('decision')
      .filter({ hasText: 'gw-declined' })
      .count();
    expect(openRequests).toBe(1);
    expect(troubles).toEqual([]);
    await context.close();
  });

  it('queues a request while the hub is away, and shows that the hub is unreachable', async () => {
    const { page, troubles, context } = await tray.open(agent.dataDir);
    await hub.hub.stop();
    await ask(page, 'gw-away', 'While it is away');
    await page.getByRole('navigation', { name: 'Pages' }).getByText('Overview').click();
    await page.getByText('is not reached').waitFor();
    const { port } = new URL(hub.url);
    const back = await startTestHub({ ...hub.config, port: Number(port) });
    await expect.poll(() => requestsFor('gw-away')).toHaveLength(1);
    await page.getByText('is not reached').waitFor({ state: 'detached' });
    expect(troubles).toEqual([]);
    await context.close();
    await back.stop();
  });
});
