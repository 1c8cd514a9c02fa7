// Pages that stay true while devices report, while others decide, and while the hub is away.
import { entityId } from '@gatewarden/shared/identity.ts';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aBatch, aDevice, anAlert, anEntity, anUnknownProcess } from '../support/builders.ts';
import { openChromium } from '../support/chromium.ts';
import { goTo, openPage, signedIn, signIn } from '../support/console.ts';
import { aPerson } from '../support/cookie-browser.ts';
import {
  cloneDatabase,
  deviceCall,
  hubConfig,
  startTestHub,
  type TestHub,
} from '../support/hub.ts';
import { aNode, aRequestLine } from '../support/logs.ts';
import { freePort } from '../support/programs.ts';

const device = aDevice();
let hub: TestHub;
let browser: Browser;

beforeAll(async () => {
  browser = await openChromium();
  // The same address after a restart.
  hub = await startTestHub({ ...hubConfig(await cloneDatabase()), port: await freePort() });
});
afterAll(async () => {
  await browser?.close();
  await hub?.stop();
});

const sendAlert = (name: string) =>
  deviceCall(hub, 'POST', '/ea/v1/sync/alerts', {
    body: { device, alerts: [anAlert({ application_name: name })] },
  });
const sendApp = (name: string) =>
  deviceCall(hub, 'POST', '/ea/v1/sync/discovered-apps', {
    body: aBatch(device, [anEntity(name)]),
  });

describe('live pages', () => {
  it('shows an app when a device reports it', async () => {
    const { page, troubles, context } = await signedIn(browser, hub);
    await goTo(page, hub, 'inventory/all');
    await page.getByText('Nothing discovered yet').waitFor();
    await sendApp('fresh-app');
    await page.getByTestId('application-row').filter({ hasText: 'fresh-app' }).waitFor();
    expect(troubles).toEqual([]);
    await context.close();
  });

  it('adds new requests to the log without moving the rows under a reader', async () => {
    const { page, troubles, context } = await signedIn(browser, hub);
    const node = await aNode(hub, hub.tenantId);
    const sendRequests = async (app: string, count: number) => {
      const lines = Array.from({ length: count }, () => aRequestLine({}, { app: { name: app } }));
      expect((await node.send('llm-requests', lines)).status).toBe(202);
    };
    await goTo(page, hub, 'activity/llm-requests');
    const rows = page.getByTestId('llm-request-row');
    await sendRequests('first', 45);
    await expect.poll(() => rows.filter({ hasText: 'first' }).count()).toBeGreaterThan(0);
    await page.evaluate('window.scrollTo(0, 0)');
    await sendRequests('second', 1);
    await rows.filter({ hasText: 'second' }).waitFor();
    await page.evaluate('window.scrollTo(0, document.body.scrollHeight)');
    await sendRequests('third', 1);
    await page.getByText('The list has been updated.').waitFor();
    expect(await rows.filter({ hasText: 'third' }).count()).toBe(0);
    await page.locator('.gw-list-changed').getByRole('button', { name: 'Show' }).click();
    await page.evaluate('window.scrollTo(0, 0)');
    await rows.filter({ hasText: 'third' }).waitFor();
    expect(troubles).toEqual([]);
    await context.close();
  });

  it('shows, announces and counts an alert until it is acknowledged', async () => {
    const { page, troubles, context } = await signedIn(browser, hub);
    // Alerts that are open when the page loads are not announced as new.
    const looked = page.waitForResponse((answer) => /\/alerts\?.*state=open/.test(answer.url()));
    await goTo(page, hub, 'activity/alerts');
    await looked;
    await page.getByText('Live', { exact: true }).waitFor();
    const counted = page.getByTestId('open-alerts');
    await sendAlert('first-alert');
    await page.getByTestId('alert-row').filter({ hasText: 'first-alert' }).waitFor();
    await expect.poll(() => counted.textContent()).toContain('1');
    await expect
      .poll(() => page.getByTestId('alert-announcement').textContent())
      .toContain('first-alert');
    await page.getByRole('link', { name: 'Devices', exact: true }).click();
    await sendAlert('second-alert');
    await expect.poll(() => counted.textContent()).toContain('2');
    await page.getByRole('button', { name: 'Show alerts' }).click();
    await page.getByRole('button', { name: /^Acknowledge.*second-alert/ }).click();
    await expect.poll(() => counted.textContent()).toContain('1');
    expect(troubles).toEqual([]);
    await context.close();
  });

  it('shows the assignee of an alert on every page, and reports it to a second administrator', async () => {
    const reviewer = await signedIn(browser, hub, 'Reviewer');
    const admin = await signedIn(browser, hub, 'Admin');
    await sendAlert('wanted');
    for (const { page } of [reviewer, admin]) {
      await goTo(page, hub, 'activity/alerts');
      await page.getByRole('button', { name: /^Assign the alert.*wanted/ }).click();
      // No mark of what isolates the names is written out.
      await page
        .getByRole('dialog')
        .getByText(/^Blocked: \u2068wanted\u2069/)
        .waitFor();
    }
    const store = (page: Page) =>
      page.getByRole('dialog').getByRole('button', { name: 'Assign', exact: true }).click();
    await store(reviewer.page);
    await reviewer.page.getByRole('dialog').waitFor({ state: 'detached' });
    const ASSIGNED = /^assigned to reviewer-/;
    await admin.page.getByText(ASSIGNED).waitFor();
    await store(admin.page);
    await admin.page.getByText(/assigned this alert to reviewer-/).waitFor();
    await goTo(reviewer.page, hub, 'activity/alerts?assigned=me');
    await reviewer.page.getByTestId('alert-row').getByText(ASSIGNED).waitFor();
    expect(reviewer.troubles).toEqual([]);
    await reviewer.context.close();
    await admin.context.close();
  });

  it('moves a process from the unknown ones to the named ones when it gets a name', async () => {
    await deviceCall(hub, 'POST', '/ea/v1/sync/unknown-processes', {
      body: { batch_id: crypto.randomUUID(), device, processes: [anUnknownProcess('mystery')] },
    });
    const viewer = await signedIn(browser, hub, 'Viewer');
    await goTo(viewer.page, hub, 'inventory/unidentified-processes');
    await viewer.page.getByTestId('unknown-process-row').waitFor();
    const { page, troubles, context } = await signedIn(browser, hub, 'Reviewer');
    await goTo(page, hub, 'inventory/unidentified-processes');
    await page.getByRole('button', { name: 'Identify mystery' }).click();
    await page.getByLabel('App name').fill('Mystery Suite');
    // Tried before it is stored, while the person types.
    await page.getByText('Pattern', { exact: true }).click();
    await page.getByLabel('Process name').fill('nothing*');
    await page.getByText('Unidentified processes: 0').waitFor();
    await page.getByLabel('Process name').fill('myst*');
    await page.getByText('Unidentified processes: 1').waitFor();
    await page.getByRole('button', { name: 'Save mapping' }).click();
    for (const item of [page, viewer.page]) {
      await item.getByTestId('process-mapping-row').filter({ hasText: 'Mystery Suite' }).waitFor();
      await expect.poll(() => item.getByTestId('unknown-process-row').count()).toBe(0);
    }
    expect([...troubles, ...viewer.troubles]).toEqual([]);
    await context.close();
    await viewer.context.close();
  });
});

describe('concurrent policy changes', () => {
  it("keeps the second administrator's values, shows the first change, and allows another save", async () => {
    await sendApp('disputed');
    const entity = entityId('linux', 'package', 'dpkg', 'disputed');
    await hub.console('POST', '/overrides', {
      body: {
        match: { entity_id: entity },
        approval_status: 'pending',
        execution_policy: 'monitor',
        scope: { kind: 'tenant' },
      },
    });
    const people = [
      await signedIn(browser, hub, 'Reviewer'),
      await signedIn(browser, hub),
    ] as const;
    for (const { page } of people) {
      await goTo(page, hub, `inventory/items/${entity}`);
      await page.getByRole('button', { name: /^Edit policy/ }).click();
      await page
        .getByRole('dialog')
        .getByLabel('Reason')
        .fill(page === people[0].page ? 'of the first' : 'of the second');
    }
    const [first, second] = people.map(({ page }) => page.getByRole('dialog'));
    if (first === undefined || second === undefined) throw new Error('no dialogs');
    await first.getByRole('radio', { name: 'Restricted', exact: true }).check();
    await first.getByRole('button', { name: 'Save changes' }).click();
    await first.waitFor({ state: 'detached' });

    await second.getByRole('button', { name: 'Save changes' }).click();
    const conflict = second.getByRole('alert');
    await conflict.waitFor();
    expect(await conflict.textContent()).toMatch(
      /This policy was changed by someone else.*Restricted.*of the first/,
    );
    expect(await second.getByLabel('Reason').inputValue()).toBe('of the second');
    expect(await reasons()).toEqual(['of the first']);
    await second.getByRole('button', { name: 'Save changes' }).click();
    await second.waitFor({ state: 'detached' });
    expect(await reasons()).toEqual(['of the second']);
    await people[0].page.getByTestId('decision-row').filter({ hasText: 'of the second' }).waitFor();
    // Chromium writes down the refusal that the person was shown.
    expect(people.flatMap(({ troubles }) => troubles)).toEqual([expect.stringContaining('412')]);
    for (const { context } of people) await context.close();
  });

  async function reasons(): Promise<(string | null)[]> {
    const answer = await hub.console('GET', '/overrides');
    return answer.body.items.map((item: { reason: string | null }) => item.reason);
  }
});

describe('unreachable hub', () => {
  it('reports an unreachable hub, and updates the page after its return', async () => {
    const { page, context } = await openPage(browser);
    await signIn(page, hub, await aPerson(hub), `/t/${hub.tenantId}/inventory/all`);
    await page.getByText('Live', { exact: true }).waitFor();
    const { tenantId, agentToken, config } = hub;
    await hub.stop();
    await page.getByText('Reconnecting…').waitFor();
    // A page that was not visited yet cannot be had; the console stays, with what is already there.
    const way = page.getByRole('navigation', { name: 'Main' }).getByText('Devices');
    await way.click();
    await page.getByRole('alert').getByText('The server isn’t responding').waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'All apps' }).waitFor();
    hub = await startTestHub(config);
    const away = { url: hub.url, tenantId, agentToken };
    const sent = await deviceCall(away, 'POST', '/ea/v1/sync/discovered-apps', {
      body: aBatch(device, [anEntity('found-while-away')]),
    });
    expect(sent.status).toBe(202);
    await page.getByTestId('application-row').filter({ hasText: 'found-while-away' }).waitFor();
    await page.getByText('Live', { exact: true }).waitFor();
    await way.click();
    await page.getByRole('heading', { name: 'Devices' }).waitFor();
    await context.close();
  });

  it('loads a failed page again once the hub is back', async () => {
    const { page, context } = await openPage(browser);
    await signIn(page, hub, await aPerson(hub), `/t/${hub.tenantId}/inventory/all`);
    await page.getByText('Live', { exact: true }).waitFor();
    const { config } = hub;
    await hub.stop();
    await page.getByText('Reconnecting…').waitFor();
    await page.getByRole('navigation', { name: 'Main' }).getByText('Devices').click();
    await page.getByRole('alert').getByText('The server isn’t responding').waitFor();
    hub = await startTestHub(config);
    await page.getByRole('heading', { name: 'Devices' }).waitFor();
    await context.close();
  });
});
