// The API reference: an operation is found and read, its example is copied and really run, and an error leads to its page.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openChromium } from '../support/chromium.ts';
import { expectSound, goTo, type Opened, settled, signedIn } from '../support/console.ts';
import { startTestHub, type TestHub } from '../support/hub.ts';

const run = promisify(execFile);

let hub: TestHub;
let browser: Browser;
let opened: Opened;
beforeAll(async () => {
  browser = await openChromium();
  hub = await startTestHub();
  opened = await signedIn(browser, hub);
  await opened.context.grantPermissions(['clipboard-read', 'clipboard-write']);
});
afterAll(async () => {
  await browser?.close();
  await hub?.stop();
});

const copied = async (page: Page): Promise<string> => {
  await page.getByRole('button', { name: /^Copy: Example in/ }).click();
  // Only then it is in the clipboard.
  await page.getByText('Copied', { exact: true }).waitFor();
  return page.evaluate<string>('navigator.clipboard.readText()');
};

/** Runs a copied command as a reader would: with the token in the environment. */
async function runIn(command: string, args: string[]): Promise<string> {
  const env = { ...process.env, GATEWARDEN_TOKEN: hub.adminToken };
  return (await run(command, args, { env })).stdout;
}

it('finds an operation, shows its parameters, and copies a curl command that works', async () => {
  const { page } = opened;
  await goTo(page, hub, 'settings/api-reference');
  expect(await page.getByTestId('operation-row').first().isVisible()).toBe(false);
  await page.getByLabel('Search operations').fill('POST device-groups');
  const row = page.getByTestId('operation-row').filter({ hasText: /POST \S+\/device-groups$/ });
  await row.getByRole('link').click();
  await page.getByText('role or higher').waitFor();
  await settled(page);

  const body = page.getByRole('region', { name: 'Body', exact: true });
  const name = body.getByRole('listitem').filter({ hasText: /^name / });
  expect(await name.textContent()).toMatch(/string · required · .*characters/);
  await expectSound(opened);

  const curl = await copied(page);
  const answer = JSON.parse(await runIn('sh', ['-c', curl]));
  expect(answer.group.name).toBe('NAME');
  // A second run of the command is refused with the documented code.
  expect(JSON.parse(await runIn('sh', ['-c', curl])).error.code).toBe('already_exists');
});

it('shows the same call in TypeScript and Python, which read the created object', async () => {
  const { page } = opened;
  await goTo(page, hub, 'settings/api-reference/listDeviceGroups');
  await page.getByRole('tab', { name: 'TypeScript' }).click();
  const typescript = await copied(page);
  const fromNode = await runIn(process.execPath, ['--input-type=module', '-e', typescript]);
  expect(fromNode).toMatch(/^200 \{.*"NAME"/s);
  await page.getByRole('tab', { name: 'Python' }).click();
  expect(await runIn('python3', ['-c', await copied(page)])).toMatch(/^200 \{.*"NAME"/s);
});

it('asks from the page, as who is signed in or with a key, and shows what the hub answers', async () => {
  const { page } = opened;
  await goTo(page, hub, 'settings/api-reference/listDeviceGroups');
  const trial = page.getByRole('region', { name: 'Try it' });
  await trial.getByRole('textbox', { name: /^limit/ }).fill('1');
  await trial.getByRole('button', { name: 'Send request' }).click();
  const result = trial.getByTestId('tried');
  await result.getByText('"NAME"').waitFor();
  expect(await result.textContent()).toMatch(/^200 Request [0-9a-f-]{36}/);
  await trial.getByRole('textbox', { name: /^limit/ }).fill('0');
  await trial.getByRole('button', { name: 'Send request' }).click();
  await result.getByText('"invalid_request"').waitFor();
  await trial.getByRole('textbox', { name: /^limit/ }).fill('');
  await trial.getByLabel(/^Key or token/).fill('nobody');
  await trial.getByRole('button', { name: 'Send request' }).click();
  await result.getByText('401', { exact: true }).waitFor();
  await trial.getByLabel(/^Key or token/).fill(hub.adminToken);
  await trial.getByRole('button', { name: 'Send request' }).click();
  await result.getByText('200', { exact: true }).waitFor();
  opened.troubles.length = 0;
  await expectSound(opened);
  await goTo(page, hub, 'settings/api-reference/createDeviceGroup');
  await settled(page);
  expect(await page.getByRole('region', { name: 'Try it' }).count()).toBe(0);
});

it('explains an error from the panel that shows it', async () => {
  const { page, context } = opened;
  await goTo(page, hub, `devices/groups/${crypto.randomUUID()}`);
  const panel = page.getByRole('alert').filter({ hasText: 'Request' });
  const [help] = await Promise.all([
    context.waitForEvent('page'),
    panel.getByRole('link', { name: 'not_found' }).click(),
  ]);
  await help.getByRole('heading', { level: 1, name: 'not_found' }).waitFor();
  await help.getByText("The route or resource doesn't exist in this tenant.").waitFor();
  expect(help.url()).toBe(
    `${hub.url}/console/t/${hub.tenantId}/settings/api-reference/errors/not_found`,
  );
  await help.close();
  // Chromium writes the refusal down, which was wanted here.
  expect(opened.troubles.splice(0)).toEqual([expect.stringContaining('404')]);
});

it('leads from a refused status to its codes', async () => {
  const { page } = opened;
  await goTo(page, hub, 'settings/api-reference/createDeviceGroup');
  await page.getByRole('link', { name: 'Codes with status 409' }).click();
  await page.getByRole('link', { name: 'already_exists' }).click();
  await page.getByText('A resource with this name').waitFor();
  await expectSound(opened);
});

it('reports an unknown operation or code', async () => {
  const { page } = opened;
  await goTo(page, hub, 'settings/api-reference/getNothing');
  await page.getByRole('heading', { level: 1, name: 'Operation not found' }).waitFor();
  await goTo(page, hub, 'settings/api-reference/errors/http_502');
  await page.getByText('Unknown error code').waitFor();
});

it.each(['light', 'dark'] as const)('fits a narrow page, for a Member too (%s)', async (scheme) => {
  const member = await signedIn(browser, hub, 'Member', { scheme, width: 360, height: 740 });
  for (const path of [
    'settings/api-reference?query=apps',
    'settings/api-reference/updateGatewayApp',
    'settings/api-reference/errors',
    'settings/api-reference/errors/drift_hold',
  ]) {
    await goTo(member.page, hub, path);
    const head = await member.page.getByRole('heading', { level: 1 }).textContent();
    expect([path, head]).not.toEqual([path, 'Not available for your role']);
    await expectSound(member);
  }
  await member.context.close();
});
