// Actions that the console offers each role, and the end of a session.
import { disableUser } from '@gatewarden/hub/src/features/people/identity/index.ts';
import type { SessionAnswer } from '@gatewarden/shared/wire/console/session.ts';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { aBatch, aDevice, anAlert, anEntity, anUnknownProcess } from '../support/builders.ts';
import { openChromium } from '../support/chromium.ts';
import { goTo, openPage, settled, signedIn, signIn } from '../support/console.ts';
import { aPerson } from '../support/cookie-browser.ts';
import { deviceCall, startTestHub, type TestHub } from '../support/hub.ts';

const app = anEntity('governed');
const alert = anAlert();
let hub: TestHub;
let browser: Browser;

beforeAll(async () => {
  browser = await openChromium();
  hub = await startTestHub();
  const device = aDevice();
  await deviceCall(hub, 'POST', '/ea/v1/sync/discovered-apps', { body: aBatch(device, [app]) });
  await deviceCall(hub, 'POST', '/ea/v1/sync/alerts', { body: { device, alerts: [alert] } });
  await deviceCall(hub, 'POST', '/ea/v1/sync/unknown-processes', {
    body: { batch_id: crypto.randomUUID(), device, processes: [anUnknownProcess('mystery')] },
  });
  await hub.console('POST', '/overrides', { body: aDecision() });
});
afterAll(async () => {
  await browser?.close();
  await hub?.stop();
});

const aDecision = () => ({
  match: { entity_id: app.entity_id },
  approval_status: 'restricted',
  execution_policy: 'warn',
  scope: { kind: 'tenant' },
});

describe('a role', () => {
  const OFFERS: [path: string, button: RegExp, row: string][] = [
    [`applications/${app.entity_id}`, /^Apply policy/, 'device-row'],
    ['policies', /^Edit policy/, 'decision-row'],
    ['policies', /^Remove policy/, 'decision-row'],
    ['activity/alerts', /^Acknowledge/, 'alert-row'],
    ['inventory/unidentified-processes', /^Identify/, 'unknown-process-row'],
    ['inventory/unidentified-processes', /^Set policy for/, 'unknown-process-row'],
  ];
  it.each([
    ['Viewer', 0],
    ['Reviewer', 1],
    ['Admin', 1],
  ] as const)('%s is offered every way to write %i times', async (role, times) => {
    const { page, troubles, context } = await signedIn(browser, hub, role);
    for (const [path, name, row] of OFFERS) {
      await goTo(page, hub, path);
      await page.getByTestId(row).waitFor();
      expect([path, await page.getByRole('button', { name }).count()]).toEqual([path, times]);
    }
    expect(troubles).toEqual([]);
    await context.close();
  });

  it('rejects writes of a Viewer whose page is made to send them', async () => {
    const { page, context } = await signedIn(browser, hub, 'Viewer');
    const before = (await hub.console('GET', '/overrides')).body.items;
    const { override_id: id } = before[0];
    const writes: [string, string, unknown][] = [
      ['POST', '/overrides', aDecision()],
      ['PATCH', `/overrides/${id}`, { reason: 'forged' }],
      ['DELETE', `/overrides/${id}`, undefined],
      ['POST', `/alerts/${alert.alert_id}/acknowledge`, {}],
      ['POST', '/process-mappings', { process_name: 'x', match: 'exact', application_name: 'X' }],
    ];
    const answers = await page.evaluate(
      async ({ base, writes, version }) => {
        const session = (await (await fetch('/console/api/v1/session')).json()) as SessionAnswer;
        const statuses: number[] = [];
        for (const [method, path, body] of writes) {
          const answer = await fetch(`${base}${path}`, {
            method,
            headers: {
              'x-csrf-token': session.csrf_token,
              'if-match': version,
              ...(body === undefined ? {} : { 'content-type': 'application/json' }),
            },
            ...(body === undefined ? {} : { body: JSON.stringify(body) }),
          });
          statuses.push(answer.status);
        }
        return statuses;
      },
      { base: `/console/api/v1/tenants/${hub.tenantId}`, writes, version: before[0].version },
    );
    expect(answers).toEqual(writes.map(() => 403));
    expect((await hub.console('GET', '/overrides')).body.items).toEqual(before);
    expect((await hub.console('GET', '/process-mappings')).body.items).toEqual([]);
    expect((await hub.console('GET', '/alerts')).body.items[0].state).toBe('open');
    await context.close();
  });
});

describe('a session', () => {
  it('ends when the person signs out, also for what the browser still remembers', async () => {
    const { page, troubles, context } = await signedIn(browser, hub);
    const cookies = await context.cookies();
    const account = page.getByRole('button', { name: /^Account/ });
    // The page's reads can be copied as commands that return the same.
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const clipboard = () => page.evaluate<string>('navigator.clipboard.readText()');
    const taken = async (what: string, begin: RegExp) => {
      await account.click();
      await page.getByRole('menuitem', { name: what }).click();
      await expect.poll(clipboard, { timeout: 60_000 }).toMatch(begin);
      return clipboard();
    };
    const calls = await taken('Copy as cURL', /^# GATEWARDEN_TOKEN/);
    const [, url] = /'(.+)'/.exec(calls) ?? [];
    const token = `Bearer ${await hub.tokenFor('Admin')}`;
    const read = await fetch(url ?? '', { headers: { authorization: token } });
    const { request_id: _id, ...shown } = (await read.json()) as Record<string, unknown>;
    const yaml = await taken('Copy as YAML', /^# GET /);
    expect(parseAllDocuments(yaml)[0]?.toJS()).toMatchObject(shown);
    await account.click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('link', { name: 'Sign in' }).waitFor();
    expect(troubles).toEqual([]);
    await context.addCookies(cookies);
    const answer = await page.request.get(`${hub.url}/console/api/v1/session`);
    expect(answer.status()).toBe(401);
    await page.goto(`${hub.url}/console/t/${hub.tenantId}/inventory/all`);
    await page.getByRole('link', { name: 'Sign in' }).waitFor();
    await context.close();
  });

  it('leads an expired session to sign-in, and back to the same page', async () => {
    const { page, context } = await openPage(browser);
    const person = await aPerson(hub);
    await signIn(page, hub, person, `/t/${hub.tenantId}/activity/alerts?state=open`);
    // Requests that are still running would show the sign-in page before the click does.
    await settled(page);
    await hub.context.database.pool.query(
      'UPDATE sessions SET expires_at = now() WHERE email = $1',
      [person.email],
    );
    await page.getByRole('link', { name: 'Devices', exact: true }).click();
    await page.getByRole('link', { name: 'Sign in' }).waitFor();
    await page.reload();
    await signIn(page, hub, person, `/t/${hub.tenantId}/activity/alerts?state=open`);
    expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe(
      `/console/t/${hub.tenantId}/activity/alerts?state=open`,
    );
    await context.close();
  });

  it('continues in the same form after the session ended during typing and the user signed in again', async () => {
    const { page, context } = await openPage(browser);
    const person = await aPerson(hub);
    // Query parameters that a chat adds to a link are no filters.
    await signIn(page, hub, person, `/t/${hub.tenantId}/policies?state=in_force&utm_source=chat`);
    await settled(page);
    expect(new URL(page.url()).search).toBe('?state=in_force');
    await page
      .getByRole('button', { name: /^Edit policy for/ })
      .first()
      .click();
    const form = page.getByRole('dialog', { name: 'Edit policy' });
    await form.getByLabel('Reason').fill('typed before it ended');
    await page.getByText('Live', { exact: true }).waitFor();
    // Signed out elsewhere in the same browser.
    const session = `${hub.url}/console/api/v1/session`;
    const { csrf_token } = (await (await page.request.get(session)).json()) as SessionAnswer;
    const out = await page.request.delete(session, { headers: { 'x-csrf-token': csrf_token } });
    expect(out.ok()).toBe(true);
    await form.getByRole('button', { name: 'Save changes' }).click();
    const again = page.getByRole('dialog', { name: 'Your session has expired' });
    await again.waitFor();
    await page.keyboard.press('Escape');
    await page.mouse.click(5, 5);
    await page.keyboard.press('Escape');
    const [other] = await Promise.all([
      context.waitForEvent('page'),
      again.getByRole('link', { name: 'Sign in' }).click(),
    ]);
    await other.getByLabel('E-mail').fill(person.email);
    await other.getByLabel('Password').fill(person.password);
    await other.getByRole('button', { name: 'Sign in' }).click();
    await again.waitFor({ state: 'detached' });
    expect(await form.getByLabel('Reason').inputValue()).toBe('typed before it ended');
    await form.getByRole('button', { name: 'Save changes' }).click();
    await form.waitFor({ state: 'detached' });
    await page.getByTestId('decision-row').filter({ hasText: 'typed before it ended' }).waitFor();
    await context.close();
  });

  it('does not cover a valid session for long by the rejection of an earlier session', async () => {
    const { page, context } = await openPage(browser);
    const person = await aPerson(hub);
    await signIn(page, hub, person, `/t/${hub.tenantId}/home`);
    await settled(page);
    let refused = 0;
    await page.route(/\/api\/v1\/.*\/devices(\?|$)/, async (route) => {
      if (refused++ > 0) return route.fallback();
      const error = { code: 'not_signed_in', message: 'late' };
      await route.fulfill({ status: 401, json: { error, request_id: 'r' } });
    });
    await page.getByRole('link', { name: 'Devices', exact: true }).click();
    await page.getByTestId('device-row').first().waitFor();
    expect(refused).toBeGreaterThan(1);
    await page
      .getByRole('dialog', { name: 'Your session has expired' })
      .waitFor({ state: 'detached' });
    await context.close();
  });

  it('shows a disabled user at once that access is denied', async () => {
    const { page, context } = await openPage(browser);
    const person = await aPerson(hub);
    await signIn(page, hub, person, `/t/${hub.tenantId}/inventory/all`);
    await page.getByTestId('application-row').waitFor();
    await page.getByText('Live', { exact: true }).waitFor();
    await disableUser(hub.context.database.db, hub.tenantId, person.userId);
    await page.getByRole('heading', { name: 'No access to this organization' }).waitFor();
    expect(await page.getByTestId('application-row').count()).toBe(0);
    await context.close();
  });
});
