// Device groups, rollouts and default policies on the pages, as an administrator uses them.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aBatch, aDevice, anActivity, anEntity } from '../support/builders.ts';
import { openChromium } from '../support/chromium.ts';
import { expectSound, goTo, type Opened, settled, signedIn } from '../support/console.ts';
import { deviceCall, startTestHub, type TestHub } from '../support/hub.ts';

let hub: TestHub;
let browser: Browser;
let opened: Opened;
let page: Page;
const laptop = aDevice({ hostname: 'ada-laptop' });
const desktop = aDevice({ hostname: 'bob-desktop' });
const TOOL = anEntity('typewriter');
const SERVER = anEntity('files', { kind: 'mcp_server', source: 'mcp_config' });

beforeAll(async () => {
  browser = await openChromium();
  hub = await startTestHub();
  for (const device of [laptop, desktop]) {
    await deviceCall(hub, 'POST', '/ea/v1/sync/discovered-apps', {
      body: aBatch(device, [TOOL, SERVER]),
    });
  }
  await deviceCall(hub, 'POST', '/ea/v1/sync/activity', {
    body: {
      device: laptop,
      events: [anActivity({ entity_id: TOOL.entity_id, decision: 'monitor', enforced: false })],
    },
  });
  opened = await signedIn(browser, hub);
  page = opened.page;
});
afterAll(async () => {
  await browser?.close();
  await hub?.stop();
});

/** Chooses in a searchable box, by what is typed. */
async function choose(label: string, text: string): Promise<void> {
  await page.getByRole('combobox', { name: label }).fill(text);
  await page.getByRole('option', { name: text }).click();
}

describe('an administrator', () => {
  it("reports the deletion of a policy's group, and keeps the other fields", async () => {
    const { body } = await hub.console('POST', '/device-groups', { body: { name: 'Doomed' } });
    await goTo(page, hub, `inventory/items/${TOOL.entity_id}`);
    await page.getByRole('radio', { name: 'Blocked' }).check();
    await page.getByRole('radio', { name: 'Device group' }).check();
    await choose('Group', 'Doomed');
    await page.getByLabel('Reason').fill('typed before');
    const preview = page.getByTestId('preview');
    await expect.poll(() => preview.getAttribute('data-state')).toBe('shown');
    const deleted = await hub.console('DELETE', `/device-groups/${body.group.group_id}`, {
      headers: { 'if-match': body.group.version },
    });
    expect(deleted.status).toBe(200);
    await page.getByText('This group was deleted').waitFor();
    await expect
      .poll(() => page.getByRole('combobox', { name: 'Group' }).inputValue())
      .toBe('Deleted group');
    expect(await page.getByLabel('Reason').inputValue()).toBe('typed before');
    // Chromium writes down what the hub refused: the preview, and the group itself.
    await expect.poll(() => opened.troubles.length).toBeGreaterThan(0);
    expect(opened.troubles.every((trouble) => /40[04]/.test(trouble))).toBe(true);
    await goTo(page, hub, 'devices/groups');
    opened.troubles.length = 0;
  });

  it('creates a group, adds a device, and sets a policy for the group after a preview', async () => {
    await goTo(page, hub, 'devices/groups');
    await page.getByRole('button', { name: 'New group' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Writers');
    await dialog.getByLabel('Description').fill('Who writes');
    await dialog.getByRole('button', { name: 'New group' }).click();
    await page.getByRole('heading', { level: 1, name: 'Writers' }).waitFor();
    await settled(page);

    await choose('Add device', 'ada-laptop');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByTestId('group-device-row').filter({ hasText: 'ada-laptop' }).waitFor();

    await goTo(page, hub, `inventory/items/${TOOL.entity_id}`);
    await page.getByRole('radio', { name: 'Blocked' }).check();
    await page.getByRole('radio', { name: 'Device group' }).check();
    const preview = page.getByTestId('preview');
    await expect.poll(() => preview.getAttribute('data-state')).toBe('waiting');
    await choose('Group', 'Writers');
    await expect.poll(() => preview.getAttribute('data-state')).toBe('shown');
    const shown = (await preview.textContent()) ?? '';
    expect(shown).toContain('1 device');
    expect(shown).toContain('ada-laptop');
    expect(shown).not.toContain('bob-desktop');
    expect(shown).toContain('1 device group');
    expect(shown).toContain('1 launch would have been stopped');
    await page.getByTestId('decide-submit').click();
    const row = page.getByTestId('decision-row');
    await row.filter({ hasText: 'Writers' }).waitFor();
    const stored = await hub.console('GET', '/overrides');
    expect(stored.body.items).toMatchObject([
      { scope: { kind: 'group' }, approval_status: 'blocked', rollout_percent: 100 },
    ]);
  });

  it('refuses to delete a group that has a policy, and names the policy', async () => {
    await goTo(page, hub, 'devices/groups');
    await page.getByRole('link', { name: 'Writers' }).click();
    await page.getByRole('button', { name: 'Delete' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await dialog
      .getByText('This group is used by policies or notification channels: entity_id')
      .waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  it("removes a device from a group on the device's page, and adds it again", async () => {
    await goTo(page, hub, `devices/${laptop.device_id}`);
    const membership = page.getByTestId('membership').filter({ hasText: 'Writers' });
    // Policies of the group leave the page together with the group.
    await page.getByRole('group', { name: 'Active policies' }).scrollIntoViewIfNeeded();
    const decision = page.getByTestId('device-decision-row').filter({ hasText: 'Writers' });
    await decision.waitFor();
    await page.getByRole('button', { name: 'Remove Writers' }).click();
    await membership.waitFor({ state: 'detached' });
    await decision.waitFor({ state: 'detached' });
    await choose('Add to group', 'Writers');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await membership.waitFor();
    await decision.waitFor();
  });

  it('rolls a policy out in stages, and removes it', async () => {
    await goTo(page, hub, `inventory/items/${TOOL.entity_id}`);
    await page.getByRole('radio', { name: 'Restricted' }).check();
    await page.getByRole('button', { name: 'Advanced' }).click();
    await page.getByLabel('Staged rollout').check();
    await expect.poll(() => page.getByTestId('preview').getAttribute('data-state')).toBe('shown');
    await page.getByTestId('decide-submit').click();
    const dialog = page.getByRole('dialog', { name: 'Staged rollout' });
    await dialog.getByLabel('Percent of devices in ring 1').fill('10');
    await dialog.getByRole('button', { name: 'Start rollout' }).click();
    await dialog.waitFor({ state: 'detached' });
    const row = page.getByTestId('decision-row').filter({ hasText: 'Rolling out' });
    await row.waitFor();
    expect(await row.textContent()).toContain('Rolling out 10%');
    await row.getByRole('button', { name: /^Rollout of/ }).click();
    await dialog.getByRole('button', { name: 'Revert' }).click();
    await expect
      .poll(() => dialog.getByTestId('rollout-state').textContent())
      .toBe('Reverted 0% of devices');
    await page.keyboard.press('Escape');
    await page.getByTestId('decision-row').filter({ hasText: 'Reverted' }).waitFor();
  });

  it('sets a default for MCP servers after a preview', async () => {
    await goTo(page, hub, 'policies/defaults');
    const submit = page.getByRole('button', { name: 'Save changes' });
    expect(await submit.isDisabled()).toBe(true);
    const packages = page.getByLabel('Enforcement for: Package');
    expect(await packages.locator('option').allTextContents()).not.toContain('Block');
    await page.getByLabel('Enforcement for: MCP server').selectOption('Block');
    await page.getByLabel('Reason for: MCP server').fill('Ask first');
    const preview = page.getByTestId('defaults-preview');
    await expect.poll(() => preview.textContent()).toContain('MCP server: 2 devices');
    await submit.click();
    await page.getByText('Default policies saved').waitFor();
    const stored = await hub.console('GET', '/default-policies');
    expect(stored.body.policies).toMatchObject([
      { kind: 'mcp_server', execution_policy: 'block', reason: 'Ask first' },
    ]);
    await goTo(page, hub, 'policies');
    const row = page.getByTestId('decision-row').filter({ hasText: 'Default policy' });
    await row.waitFor();
    // The reason can be shown here, but the policy cannot be changed or removed.
    expect(await row.getByRole('button').count()).toBe(1);
    expect(await row.getByRole('button', { name: /^Why/ }).count()).toBe(1);
  });

  it('approves a single MCP server, which takes precedence over the default', async () => {
    await goTo(page, hub, `inventory/items/${SERVER.entity_id}`);
    await page.getByRole('radio', { name: 'Approved' }).check();
    await page.getByTestId('preview').and(page.locator('[data-state="shown"]')).waitFor();
    expect(await page.getByTestId('overruled').count()).toBe(0);
    await page.getByTestId('decide-submit').click();
    await page.getByTestId('decision-row').filter({ hasText: 'Approved' }).waitFor();
    const stored = await hub.console('GET', `/overrides?entity_id=${SERVER.entity_id}`);
    expect(stored.body.items).toMatchObject([
      {
        match: { entity_id: SERVER.entity_id },
        execution_policy: 'allow',
        scope: { kind: 'tenant' },
      },
    ]);
    expect(Object.keys(stored.body.items[0].match)).toEqual(['entity_id']);
    // A second policy for the whole publisher would lose against the first; the form explains that.
    const broad = { ...stored.body.items[0], match: { publisher: 'Example' } };
    const { match, approval_status, execution_policy, scope } = broad;
    const body = { match, approval_status, execution_policy, scope };
    expect((await hub.console('POST', '/overrides', { body })).status).toBe(201);
    await goTo(page, hub, 'policies');
    await page.getByRole('button', { name: 'Edit policy for Example', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByTestId('overruled').getByText('Default policy for: MCP server').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  it('reports no page errors but the refused deletion', () => {
    expect(opened.troubles.filter((trouble) => !trouble.includes('409'))).toEqual([]);
  });

  it('keeps people\u2019s homes out of discovery, after a warning that lists the removed data', async () => {
    await goTo(page, hub, 'settings/data');
    const homes = page.getByRole('checkbox', { name: 'Home directories' });
    const store = page.getByRole('button', { name: 'Save discovery scope' });
    expect([await homes.isChecked(), await store.isDisabled()]).toEqual([true, true]);
    await homes.uncheck();
    await page.getByText('is erased within minutes').waitFor();
    await store.click();
    await page.getByText('Settings saved').waitFor();
    const { body } = await hub.console('GET', '/discovery-scope');
    expect(body).toMatchObject({ personal_homes: false, browser_profiles: true });
    await homes.check();
    await store.click();
    await expect
      .poll(async () => (await hub.console('GET', '/discovery-scope')).body.personal_homes)
      .toBe(true);
  });

  it('lets people pause for a while, and names their contact', async () => {
    await goTo(page, hub, 'policies/defaults');
    const minutes = page.getByLabel('Allowed pause (minutes)');
    expect(await minutes.inputValue()).toBe('0');
    await minutes.fill('30');
    await page.getByLabel('Help contact').fill('it@example.com');
    await page.getByRole('button', { name: 'Save tray settings' }).click();
    await expect
      .poll(async () => (await hub.console('GET', '/tray-setting')).body)
      .toMatchObject({ pause_minutes: 30, contact: 'it@example.com' });
  });
});

describe('a viewer', () => {
  it('reads groups and default policies and is offered no change', async () => {
    const viewer = await signedIn(browser, hub, 'Viewer');
    await goTo(viewer.page, hub, 'devices/groups');
    expect(await viewer.page.getByRole('button', { name: 'New group' }).count()).toBe(0);
    await viewer.page.getByRole('link', { name: 'Writers' }).click();
    await viewer.page.getByTestId('group-device-row').waitFor();
    expect(await viewer.page.getByRole('button', { name: /Remove|Add|Delete/ }).count()).toBe(0);
    await goTo(viewer.page, hub, 'policies/defaults');
    expect(await viewer.page.getByTestId('default-policy-row').count()).toBe(6);
    expect(await viewer.page.getByRole('combobox').count()).toBe(0);
    expect(viewer.troubles).toEqual([]);
    await viewer.context.close();
  });
});

describe('a group by rule', () => {
  it('follows groups of people, whose names may have commas in them and are offered', async () => {
    const person = 'emea@example.com';
    await deviceCall(hub, 'POST', '/ea/v1/sync/discovered-apps', {
      headers: { 'x-subscriber-id': person },
      body: aBatch(aDevice({ hostname: 'of-emea' }), [anEntity('curl')]),
    });
    for (const [name, members] of [
      ['Sales, EMEA', [person]],
      ['Support', []],
    ]) {
      await hub.console('POST', '/people-groups', { body: { name, members } });
    }
    const { page, troubles, context } = await signedIn(browser, hub, 'Admin');
    await goTo(page, hub, 'devices/groups');
    await page.getByRole('button', { name: 'New group' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Of EMEA');
    await dialog.getByRole('radio', { name: 'Dynamic: all devices that match a rule' }).check();
    await dialog.getByLabel('Field').selectOption('User group');
    const field = dialog.locator('input').and(dialog.getByLabel('Any of these'));
    await field.pressSequentially('Sales, EMEA');
    await field.press('Enter');
    const preview = dialog.getByTestId('rule-preview');
    await preview.getByText('1 device matches now').waitFor();
    await preview.getByText('of-emea').waitFor();
    await field.click();
    await page.getByRole('option', { name: 'Support' }).click();
    await field.press('Escape');
    await page.getByRole('option', { name: 'Support' }).waitFor({ state: 'detached' });
    await dialog.getByRole('button', { name: 'New group' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('heading', { name: 'Of EMEA' }).waitFor();
    const text = page.getByTestId('rule-text');
    expect(await text.textContent()).toBe('User group is any of “Sales, EMEA”, Support');
    await page.getByRole('button', { name: 'Edit' }).click();
    await dialog.getByLabel('Operator', { exact: true }).selectOption('is none of');
    await dialog.locator('input').and(dialog.getByLabel('None of these')).waitFor();
    await dialog.getByRole('button', { name: 'Edit' }).click();
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => text.textContent()).toContain('none of “Sales, EMEA”');
    await expect.poll(() => page.getByText('of-emea').count()).toBe(0);
    expect(troubles).toEqual([]);
    await context.close();
  });

  it('creates a group by query with a preview, shows its query, and offers no manual changes', async () => {
    const prefix = `rule-${Date.now().toString(36)}`;
    for (const hostname of [`${prefix}-a`, `${prefix}-b`]) {
      await deviceCall(hub, 'POST', '/ea/v1/sync/discovered-apps', {
        body: aBatch(aDevice({ hostname }), [anEntity('curl')]),
      });
    }
    const admin = await signedIn(browser, hub, 'Admin');
    const { page } = admin;
    await goTo(page, hub, 'devices/groups');
    await page.getByRole('button', { name: 'New group' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill(`By rule ${prefix}`);
    await dialog.getByRole('radio', { name: 'Dynamic: all devices that match a rule' }).check();
    await dialog.getByRole('button', { name: 'New group' }).click();
    await dialog.getByText('Enter a value for each condition').waitFor();
    const first = dialog.getByRole('group', { name: 'Condition 1' });
    await first.getByLabel('Any of these').fill(`${prefix}-*`);
    await first.getByLabel('Any of these').press('Enter');
    const preview = dialog.getByTestId('rule-preview');
    await preview.getByText('2 devices match now').waitFor();

    await dialog.getByRole('button', { name: 'Add condition' }).click();
    const second = dialog.getByRole('group', { name: 'Condition 2' });
    await second.getByLabel('Field').selectOption('Agent version');
    await second.getByLabel('Operator', { exact: true }).selectOption('below');
    await second.getByLabel('Version', { exact: true }).fill('0.0.1');
    await preview.getByText('0 devices match now').waitFor();
    await expectSound(admin);
    await second.getByRole('button', { name: 'Remove condition 2' }).click();
    await preview.getByText(`${prefix}-b`).waitFor();
    await dialog.getByRole('button', { name: 'New group' }).click();
    await dialog.waitFor({ state: 'detached' });

    await page.getByRole('heading', { name: `By rule ${prefix}` }).waitFor();
    expect(await page.getByTestId('rule-text').textContent()).toBe(
      `Host name is any of ${prefix}-*`,
    );
    await expect.poll(() => page.getByTestId('group-device-row').count()).toBe(2);
    expect(await page.getByRole('button', { name: /^Remove/ }).count()).toBe(0);
    expect(await page.getByLabel('Add device').count()).toBe(0);
    await expectSound(admin);

    // A manual group keeps its devices, and each can be removed.
    await page.getByRole('button', { name: 'Edit' }).click();
    await dialog.getByRole('radio', { name: 'Manual: devices you add' }).check();
    await dialog.getByRole('button', { name: 'Edit' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: `Remove ${prefix}-a` }).click();
    await expect.poll(() => page.getByTestId('group-device-row').count()).toBe(1);
    expect(admin.troubles).toEqual([]);
    await admin.context.close();
  });
});
