// A Member's own devices: known apps, policies with their reasons, and blocks; never another person's devices.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aBatch, aDevice, anActivity, anEntity } from '../support/builders.ts';
import { openChromium } from '../support/chromium.ts';
import { expectSound, goTo, markupOf, openPage, settled, signIn } from '../support/console.ts';
import { aPerson, type Person } from '../support/cookie-browser.ts';
import { deviceCall, startTestHub, type TestHub } from '../support/hub.ts';

let hub: TestHub;
let browser: Browser;
let person: Person;
const laptop = aDevice({ hostname: 'my-laptop <b>' });
const stranger = aDevice({ hostname: 'somebody-elses' });
const editor = anEntity('Editor <img src=x onerror=alert(1)>', { kind: 'application' });

beforeAll(async () => {
  browser = await openChromium();
  hub = await startTestHub();
  person = await aPerson(hub, 'Member');
  const send = (device: typeof laptop, subscriber: string, path: string, body: object) =>
    deviceCall(hub, 'POST', `/ea/v1/sync/${path}`, {
      headers: { 'x-subscriber-id': subscriber },
      body: { device, ...body },
    });
  const others = ['first', 'second'].map((name) => anEntity(name));
  await send(laptop, person.email.toUpperCase(), 'discovered-apps', {
    ...aBatch(laptop, [editor, ...others], {
      coverage: [
        { source: 'dpkg', owner: null, state: 'read', entities: 3, reason: null },
        { source: 'mcp_config', owner: '1000', state: 'unparsed', entities: 0, reason: 'broken' },
      ],
    }),
  });
  await send(stranger, 'somebody@example.com', 'discovered-apps', aBatch(stranger, [editor]));
  const { body } = await hub.console('POST', '/overrides', {
    body: {
      match: { entity_id: editor.entity_id },
      approval_status: 'blocked',
      execution_policy: 'block',
      reason: 'It sends source code to a stranger',
      scope: { kind: 'tenant' },
    },
  });
  await send(laptop, person.email.toUpperCase(), 'activity', {
    events: [
      anActivity({
        application_name: editor.name,
        entity_id: editor.entity_id,
        override_id: body.override.override_id,
      }),
    ],
  });
});
afterAll(async () => {
  await browser?.close();
  await hub?.stop();
});

const member = async (view = {}) => {
  const opened = await openPage(browser, view);
  await signIn(opened.page, hub, person);
  await settled(opened.page);
  return opened;
};

// Both schemes and both widths, each once: colours do not depend on the width.
describe.each([
  ['light', 1280],
  ['dark', 360],
] as const)('in %s at %i pixels', (scheme, width) => {
  it('keeps both pages accessible and within the window, and shows names as text', async () => {
    // A Member's start page is a single click away from connecting a client.
    const opened = await member({ scheme, width });
    expect(new URL(opened.page.url()).pathname).toMatch(/\/my\/devices$/);
    await opened.page.getByRole('link', { name: 'Connect a client to the MCP gateway' }).waitFor();
    await opened.page.getByTestId('own-device-row').waitFor();
    await expectSound(opened);
    await goTo(opened.page, hub, `my/devices/${laptop.device_id}`);
    await opened.page.getByTestId('own-decision-row').waitFor();
    await opened.page.getByTestId('own-stopped-row').waitFor();
    expect(await markupOf(opened.page)).toEqual([]);
    await expectSound(opened);
    await opened.page
      .getByRole('button', { name: /^Why: Editor/ })
      .last()
      .click();
    await opened.page.getByTestId('why').getByText('It sends source').waitFor();
    await opened.page.reload();
    await opened.page.getByTestId('why').getByText('It sends source').waitFor();
    await expectSound(opened);
    await opened.context.close();
  });
});

it('leads by keyboard from the navigation to policies and their reasons', async () => {
  const { page, troubles, context } = await member();
  const link = page.getByRole('navigation', { name: 'Main' }).getByRole('link', {
    name: 'My devices',
  });
  await link.focus();
  await page.keyboard.press('Enter');
  await page.getByTestId('own-device-row').waitFor();
  expect(await page.getByTestId('own-device-row').count()).toBe(1);
  await tabTo(page, 'my-laptop <b>');
  await page.keyboard.press('Enter');
  const decision = page.getByTestId('own-decision-row');
  await decision.getByText('It sends source code to a stranger').waitFor();
  await decision.getByText('admin@example.com').waitFor();
  await page.getByTestId('own-stopped-row').getByText('terminated').waitFor();
  await tabTo(page, 'Why?');
  await page.keyboard.press('Enter');
  const chain = page.getByTestId('why');
  await chain.getByText('It sends source code to a stranger').waitFor();
  await chain.getByText('/opt/demo').waitFor();
  await chain.getByText('Policy set · admin@example.com').waitFor();
  await page.keyboard.press('Escape');
  await chain.waitFor({ state: 'detached' });
  await page.getByText('broken').waitFor();
  await page.getByLabel('Search installed apps').fill('second');
  await expect.poll(() => page.getByTestId('own-entity-row').count()).toBe(1);
  expect(troubles).toEqual([]);
  await context.close();
});

it('answers 404 for a device of another user', async () => {
  const { page, context } = await member();
  await goTo(page, hub, `my/devices/${stranger.device_id}`);
  await page.getByText("Not found. It may have been deleted, or you don't have access.").waitFor();
  expect(await page.content()).not.toContain('somebody-elses');
  await context.close();
});

async function tabTo(page: Page, name: string): Promise<void> {
  for (let steps = 0; steps < 40; steps++) {
    await page.keyboard.press('Tab');
    if (((await page.evaluate('document.activeElement.textContent')) as string).includes(name)) {
      return;
    }
  }
  throw new Error(`no tab leads to ${name}`);
}
