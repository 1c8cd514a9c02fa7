// A person asks on their page, a reviewer answers, both see it without reloading.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aBatch, aDevice, anActivity, anEntity } from '../support/builders.ts';
import { openChromium } from '../support/chromium.ts';
import {
  expectSound,
  goTo,
  loseAnswer,
  openPage,
  settled,
  signedIn,
  signIn,
} from '../support/console.ts';
import { aPerson, type Person } from '../support/cookie-browser.ts';
import { deviceCall, startTestHub, type TestHub } from '../support/hub.ts';

let hub: TestHub;
let browser: Browser;
let person: Person;
const laptop = aDevice({ hostname: 'laptop-of-mine' });
const names = ['Editor <b>', 'Player', 'Recorder', 'Painter'];
const things = names.map((name) => anEntity(name, { kind: 'application' }));

beforeAll(async () => {
  browser = await openChromium();
  hub = await startTestHub();
  person = await aPerson(hub, 'Member');
  await deviceCall(hub, 'POST', '/ea/v1/sync/discovered-apps', {
    headers: { 'x-subscriber-id': person.email },
    body: aBatch(laptop, things),
  });
  for (const entity of things) {
    await hub.console('POST', '/overrides', {
      body: {
        match: { entity_id: entity.entity_id },
        approval_status: 'blocked',
        execution_policy: 'block',
        scope: { kind: 'tenant' },
      },
    });
  }
});
afterAll(async () => {
  await browser?.close();
  await hub?.stop();
});

const thing = anEntity('Recorder', { kind: 'application' });

/** Enrolls a device of a person who requests access to the recorder without a page. */
async function anotherDevice() {
  const device = aDevice();
  const token = await hub.tokenFor('Member');
  await deviceCall(hub, 'POST', '/ea/v1/sync/discovered-apps', {
    headers: { 'x-subscriber-id': 'member@example.com' },
    body: aBatch(device, [thing]),
  });
  return {
    asked: () =>
      hub.console('POST', '/own/access-requests', {
        token,
        body: { device_id: device.device_id, entity_id: thing.entity_id, reason: 'Please' },
      }),
    states: async () =>
      (await hub.console('GET', `/access-requests?device_id=${device.device_id}`)).body.items.map(
        (item: { state: string }) => item.state,
      ),
  };
}

const exceptionsFor = async (id: string) =>
  (await hub.console('GET', `/overrides?entity_id=${id}`)).body.items.filter(
    (item: { scope: { kind: string } }) => item.scope.kind === 'device',
  );

const member = async (view = {}) => {
  const opened = await openPage(browser, view);
  await signIn(opened.page, hub, person);
  await settled(opened.page);
  return opened;
};

it('shows a request made by keyboard, and its grant after a preview, live to both users', async () => {
  const employee = await member();
  await goTo(employee.page, hub, `my/devices/${laptop.device_id}`);
  const ask = employee.page.getByRole('button', { name: 'Request access to Editor <b>' }).first();
  await ask.focus();
  await employee.page.keyboard.press('Enter');
  const dialog = employee.page.getByRole('dialog');
  await dialog.waitFor();
  await employee.page.keyboard.press('Tab');
  await dialog.getByRole('button', { name: 'Send request', exact: true }).click();
  await dialog.getByText('Enter a reason').waitFor();
  await dialog.getByLabel('Reason').fill('For the <i>report</i>');
  await dialog.getByRole('button', { name: 'Send request', exact: true }).press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await goTo(employee.page, hub, 'my/devices');
  const outcome = employee.page.getByTestId('own-request-row');
  await outcome.getByText('Open').waitFor();

  const reviewer = await signedIn(browser, hub, 'Reviewer');
  await goTo(reviewer.page, hub, 'home');
  await reviewer.page.getByRole('link', { name: /Pending access request/i }).click();
  await settled(reviewer.page);
  const row = reviewer.page.getByTestId('request-row');
  await row.getByText('For the <i>report</i>').waitFor();
  await row.getByRole('button', { name: 'Approve Editor <b>' }).click();
  const grant = reviewer.page.getByRole('dialog');
  await grant.getByText('1 device').waitFor();
  await grant.getByText('1 week').click();
  await grant.getByLabel('Message to the user').fill('Until Friday');
  const submit = grant.getByRole('button', { name: 'Approve', exact: true });
  await expect.poll(() => submit.isEnabled()).toBe(true);
  await submit.click();
  await grant.waitFor({ state: 'detached' });
  await reviewer.page.getByText('No pending requests').waitFor();

  // Without reloading.
  await outcome.getByText('Approved').waitFor();
  await outcome.getByText('Until Friday').waitFor();
  expect(employee.troubles).toEqual([]);
  expect(reviewer.troubles).toEqual([]);
  await employee.context.close();
  await reviewer.context.close();
});

it('shows an incoming access request at once, declines it with a reason, and offers a Viewer no answer', async () => {
  const reviewer = await signedIn(browser, hub, 'Reviewer');
  await goTo(reviewer.page, hub, 'policies/access-requests?state=open');
  await reviewer.page.getByText('No pending requests').waitFor();
  const employee = await member();
  await goTo(employee.page, hub, `my/devices/${laptop.device_id}`);
  await employee.page.getByRole('button', { name: 'Request access to Player' }).first().click();
  await employee.page.getByLabel('Reason').fill('Music');
  await employee.page.getByRole('button', { name: 'Send request', exact: true }).click();
  await reviewer.page.getByTestId('request-row').waitFor();
  const viewer = await signedIn(browser, hub, 'Viewer');
  await goTo(viewer.page, hub, 'policies/access-requests');
  await viewer.page.getByText('Music').waitFor();
  expect(await viewer.page.getByRole('button', { name: /^(Approve|Decline)/ }).count()).toBe(0);
  await reviewer.page.getByRole('button', { name: 'Decline Player' }).click();
  const dialog = reviewer.page.getByRole('dialog');
  await dialog.getByLabel('Reason').fill('Not at work');
  await dialog.getByRole('button', { name: 'Decline', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  await goTo(employee.page, hub, 'my/devices');
  await employee.page.getByText('Not at work').waitFor();
  for (const item of [employee, reviewer, viewer]) {
    expect(item.troubles).toEqual([]);
    await item.context.close();
  }
});

it('grants and declines a request once when the response is lost and the administrator repeats', async () => {
  const { asked, states } = await anotherDevice();
  const reviewer = await signedIn(browser, hub, 'Reviewer');
  await goTo(reviewer.page, hub, 'policies/access-requests?state=open');
  const dialog = reviewer.page.getByRole('dialog');
  const noAnswer = dialog.getByRole('alert').filter({ hasText: 'The server isn’t responding' });

  await asked();
  await reviewer.page.getByRole('button', { name: 'Decline Recorder' }).click();
  await dialog.getByLabel('Reason').fill('Not yet');
  await loseAnswer(reviewer.page, /\/decline$/, 'POST');
  const decline = dialog.getByRole('button', { name: 'Decline', exact: true });
  await decline.click();
  await noAnswer.waitFor();
  await decline.click();
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(states).toEqual(['declined']);

  await asked();
  await reviewer.page.getByRole('button', { name: 'Approve Recorder' }).click();
  const grant = dialog.getByRole('button', { name: 'Approve', exact: true });
  await expect.poll(() => grant.isEnabled()).toBe(true);
  await loseAnswer(reviewer.page, /\/grant$/, 'POST');
  await grant.click();
  await noAnswer.waitFor();
  await expect.poll(() => grant.isEnabled()).toBe(true);
  await grant.click();
  await dialog.waitFor({ state: 'detached' });
  expect(await states()).toEqual(['granted', 'declined']);
  expect(await exceptionsFor(thing.entity_id)).toHaveLength(1);
  await reviewer.context.close();
});

it('keeps a typed answer when another administrator answers first, and reports that on submit', async () => {
  const { asked, states } = await anotherDevice();
  await asked();
  const reviewer = await signedIn(browser, hub, 'Reviewer');
  await goTo(reviewer.page, hub, 'policies/access-requests?state=open');
  await reviewer.page.getByRole('button', { name: 'Approve Recorder' }).click();
  const dialog = reviewer.page.getByRole('dialog');
  await dialog.getByLabel('Message to the user').fill('For this project');
  const [waiting] = (await hub.console('GET', '/access-requests?state=open')).body.items;
  await hub.console('POST', `/access-requests/${waiting.access_request_id}/decline`, {
    body: { reason: 'No' },
    headers: { 'if-match': waiting.version },
  });
  await reviewer.page.getByTestId('request-row').waitFor({ state: 'detached' });
  expect(await dialog.getByLabel('Message to the user').inputValue()).toBe('For this project');
  const grant = dialog.getByRole('button', { name: 'Approve', exact: true });
  await expect.poll(() => grant.isEnabled()).toBe(true);
  await grant.click();
  const alert = dialog.getByRole('alert').filter({ hasText: 'already answered: Declined' });
  await alert.getByText('No', { exact: true }).waitFor();
  expect(await states()).toEqual(['declined']);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.waitFor({ state: 'detached' });
  await reviewer.context.close();
});

// Both schemes and both widths, each once: colours do not depend on the width.
it('keeps a typed answer when its request leaves the list, and asks before discarding it', async () => {
  // Users with a higher role than Member see activity live.
  const viewer = await aPerson(hub, 'Viewer');
  const device = aDevice();
  const stop = (names: string[]) =>
    deviceCall(hub, 'POST', '/ea/v1/sync/activity', {
      headers: { 'x-subscriber-id': viewer.email },
      body: {
        device,
        events: names.map((name) =>
          anActivity({ application_name: name, decided_at: new Date().toISOString() }),
        ),
      },
    });
  await stop(['Compiler']);
  const employee = await openPage(browser);
  await signIn(employee.page, hub, viewer);
  await goTo(employee.page, hub, `my/devices/${device.device_id}`);
  await employee.page.getByText('Live', { exact: true }).waitFor();
  const rows = employee.page.getByTestId('own-stopped-row');
  await rows.getByRole('button', { name: 'Request access to Compiler' }).first().click();
  const dialog = employee.page.getByRole('dialog');
  await dialog.getByLabel('Reason').fill('A long story');
  await stop(Array.from({ length: 10 }, (_, i) => `Newer ${i}`));
  await rows.filter({ hasText: 'Compiler' }).waitFor({ state: 'detached' });
  expect(await dialog.getByLabel('Reason').inputValue()).toBe('A long story');
  await dialog.getByRole('button', { name: 'Send request', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  const { items } = (await hub.console('GET', `/access-requests?device_id=${device.device_id}`))
    .body;
  expect(items).toContainEqual(expect.objectContaining({ reason: 'A long story' }));
  await employee.context.close();
});

describe.each([
  ['light', 1280],
  ['dark', 360],
] as const)('in %s at %i pixels', (scheme, width) => {
  it("shows requests, dialogs and the user's own section accessibly and within the viewport", async () => {
    const employee = await member({ scheme, width });
    await goTo(employee.page, hub, `my/devices/${laptop.device_id}`);
    await employee.page.getByRole('button', { name: 'Request access to Painter' }).first().click();
    await employee.page.getByRole('dialog').waitFor();
    await expectSound(employee);
    await employee.page.getByLabel('Reason').fill('Pictures');
    await employee.page.getByRole('button', { name: 'Send request', exact: true }).click();
    await employee.page.getByRole('dialog').waitFor({ state: 'detached' });
    await goTo(employee.page, hub, 'my/devices');
    await employee.page.getByTestId('own-request-row').first().waitFor();
    await expectSound(employee);
    const reviewer = await signedIn(browser, hub, 'Reviewer', { scheme, width });
    await goTo(reviewer.page, hub, 'policies/access-requests');
    await reviewer.page.getByTestId('request-row').first().waitFor();
    await expectSound(reviewer);
    await reviewer.page.getByRole('button', { name: 'Approve Painter' }).click();
    await reviewer.page.getByRole('dialog').getByText('1 device').waitFor();
    await expectSound(reviewer);
    await employee.context.close();
    await reviewer.context.close();
  });
});
