// Call rules and approvals in the console: made by an administrator, met by a call, granted by a person.
import { createApprovals } from '@gatewarden/hub/src/features/mcp/call-approvals/index.ts';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openChromium } from '../support/chromium.ts';
import { expectSound, goTo, type Scheme, signedIn } from '../support/console.ts';
import { startTestHub, type TestHub } from '../support/hub.ts';

let hub: TestHub;
let browser: Browser;

beforeAll(async () => {
  browser = await openChromium();
  hub = await startTestHub();
});
afterAll(async () => {
  await browser?.close();
  await hub?.stop();
});

const rules = async () => (await hub.console('GET', '/mcp/call-rules')).body.items;

it('creates, changes, disables and deletes a guardrail', async () => {
  const { page, troubles, context } = await signedIn(browser, hub);
  await goTo(page, hub, 'gateway/guardrails');
  await page.getByText('No call rules yet').waitFor();
  await page.getByRole('button', { name: 'Create rule' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Name' }).fill('No secrets');
  await dialog.getByRole('textbox', { name: 'Patterns' }).fill('not a pattern');
  await dialog.getByRole('button', { name: 'Create rule' }).click();
  await dialog.getByText('Use one line per pattern: name = regular expression').waitFor();
  await dialog.getByRole('textbox', { name: 'Patterns' }).fill('ticket = T-[0-9]+');
  await dialog.getByRole('combobox', { name: 'Action' }).selectOption('Redact');
  await dialog.getByRole('button', { name: 'Create rule' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(await rules()).toMatchObject([
    {
      name: 'No secrets',
      tool: '*',
      definition: {
        kind: 'guardrail',
        action: 'redact',
        detectors: ['secrets'],
        patterns: [{ name: 'ticket', pattern: 'T-[0-9]+' }],
      },
    },
  ]);
  const row = page.getByTestId('call-rule-row');
  await row.getByRole('button', { name: 'Edit' }).click();
  await dialog.getByRole('radio', { name: 'Approval' }).check();
  await dialog.getByRole('combobox', { name: 'Approver' }).selectOption('A reviewer');
  await dialog.getByRole('button', { name: 'Save changes' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect((await rules())[0].definition).toMatchObject({ kind: 'approval', by: 'reviewer' });
  await row.getByRole('button', { name: 'Turn off' }).click();
  await row.getByText('Off', { exact: true }).waitFor();
  await row.getByRole('button', { name: 'Delete' }).click();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('No call rules yet').waitFor();
  expect(troubles).toEqual([]);
  await context.close();
});

it.each(['light', 'dark'] as Scheme[])("grants a Member's own call, %s", async (scheme) => {
  const opened = await signedIn(browser, hub, 'Member', { scheme });
  const { page, troubles, context } = opened;
  const session = await page.evaluate(
    'fetch("/console/api/v1/session").then((answer) => answer.json())',
  );
  const { email } = session as { email: string };
  const rule = await hub.console('POST', '/mcp/call-rules', {
    body: { name: `word-${scheme}`, definition: { kind: 'approval', by: 'caller' } },
  });
  await goTo(page, hub, 'my/requests/approvals');
  await page.getByText('No calls waiting for approval').waitFor();
  const { database, sealer } = hub.context;
  const call = {
    tenantId: hub.tenantId,
    ruleId: rule.body.rule.id,
    backendId: crypto.randomUUID(),
    tool: 'send_mail',
    email,
    arguments: { to: '<img src=x onerror=alert(1)>' },
    byReviewer: false,
  };
  await createApprovals(database.db, sealer).request(call);
  await page.reload();
  const row = page.getByTestId('approval-row');
  await row.getByText('send_mail').waitFor();
  await expectSound(opened);
  await row.getByRole('button', { name: 'Approve' }).click();
  await row.getByText('Approved', { exact: true }).waitFor();
  expect(await createApprovals(database.db, sealer).use(call)).not.toBeNull();
  expect(troubles).toEqual([]);
  await context.close();
});
