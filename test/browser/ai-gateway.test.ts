// The AI gateway for an administrator: an app with a new provider in two clicks, its snippets and a test request, guardrails with
// a trial, a price, and a budget; sound in both themes and at 390 px.
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readConfig } from '../../hub/src/platform/config/config.ts';
import { openChromium } from '../support/chromium.ts';
import { expectSound, goTo, signedIn } from '../support/console.ts';
import { cloneDatabase, hubConfig, startTestHub, type TestHub } from '../support/hub.ts';
import {
  chatCompletion,
  type LlmUpstream,
  sendJson,
  startLlmUpstream,
} from '../support/llm-upstream.ts';
import { makeApp, manage } from '../support/management.ts';

let hub: TestHub;
let browser: Browser;
let gateway: LlmUpstream;

beforeAll(async () => {
  browser = await openChromium();
  gateway = await startLlmUpstream((_call, response) =>
    sendJson(response, chatCompletion('I can read this.'), 200, { 'x-request-id': 'r-1' }),
  );
  const { allowedPrivateNetworks } = readConfig({ HUB_ALLOWED_PRIVATE_NETWORKS: '127.0.0.0/8' });
  hub = await startTestHub({
    ...hubConfig(await cloneDatabase()),
    ...{ allowedPrivateNetworks, llmGatewayUrl: gateway.url },
  });
});
afterAll(async () => {
  await browser?.close();
  await hub?.stop();
  await gateway?.stop();
});

/** Expects a gap between buttons: the page must have loaded their style sheet. */
async function expectGap(left: Locator, right: Locator): Promise<void> {
  const [before, after] = await Promise.all([left.boundingBox(), right.boundingBox()]);
  const end = (before?.x ?? 0) + (before?.width ?? 0);
  expect((after?.x ?? 0) - end).toBeGreaterThanOrEqual(8);
}

async function createApp(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Create app' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('help-desk');
  await dialog.getByLabel(/^API key \*?$/).fill('sk-stored');
  const create = dialog.getByRole('button', { name: 'Create app' });
  await expectGap(dialog.getByRole('button', { name: 'Cancel' }), create);
  await create.click();
  await dialog.getByRole('region', { name: 'Base URL' }).waitFor();
}

it('creates an app with a provider, calls it, guards it, and limits its spend', async () => {
  const opened = await signedIn(browser, hub);
  const { page, troubles, context } = opened;
  await goTo(page, hub, 'gateway/apps');
  await createApp(page);
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox', { name: 'Model' }).fill('gpt-4o-mini');
  const key = await dialog.getByLabel('Key', { exact: true }).inputValue();
  const curl = await dialog.getByRole('region', { name: 'curl' }).textContent();
  expect(curl).toContain(`Bearer ${key}`);
  expect(curl).toContain(`${gateway.url}/v1/chat/completions`);
  await dialog.getByRole('button', { name: 'Send test request' }).click();
  const result = dialog.getByTestId('test-request-result');
  await result.getByText('I can read this.').waitFor();
  // 11 input and 7 output tokens at the list price of the model.
  expect(await result.textContent()).toContain('$0.000006');
  await expectSound(opened);
  await dialog.getByRole('button', { name: 'Done' }).click();
  await dialog.waitFor({ state: 'detached' });

  await goTo(page, hub, 'gateway/apps/help-desk?tab=guardrails');
  await page.getByRole('button', { name: 'Strict' }).click();
  await page.getByRole('textbox', { name: 'Text' }).fill('Write to ann@example.com');
  await page.getByRole('button', { name: 'Run guardrails' }).click();
  await page.getByTestId('guardrail-sent-text').getByText('[REDACTED_EMAIL_ADDRESS]').waitFor();
  await page.getByRole('button', { name: 'Save guardrails' }).click();
  await page.getByText('Guardrails saved.').waitFor();
  await expectSound(opened);

  await page.getByRole('button', { name: 'Set budget' }).click();
  await dialog.getByRole('textbox', { name: /Amount/ }).fill('25');
  await dialog.getByRole('button', { name: 'Save budget' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('$0.00 of $25.00 (0%)').waitFor();
  expect(troubles).toEqual([]);
  await context.close();
});

it('names the settings that no gateway node enforces, above the settings and at each of them', async () => {
  const api = await manage(hub);
  await makeApp(api, 'scanner', {
    detection: { scan_images: true, enabled_categories: { toxicity: true, pci: true } },
  });
  for (const scheme of ['light', 'dark'] as const) {
    const opened = await signedIn(browser, hub, 'Admin', { scheme });
    const { page, context } = opened;
    await goTo(page, hub, 'gateway/apps/scanner?tab=settings');
    const notice = page.getByRole('alert').filter({ hasText: 'Some settings aren’t enforced' });
    await notice.waitFor();
    const listed = await notice.getByRole('listitem').allTextContents();
    expect(listed).toHaveLength(2);
    expect(listed).toContainEqual(expect.stringMatching(/scan images/i));
    expect(listed).toContainEqual(expect.stringMatching(/toxicity/i));
    expect(await notice.textContent()).toContain('GATEWAY_GUARDIAN_URL');
    await page.getByRole('combobox', { name: /scan images \(not enforced\)/i }).waitFor();
    await expectSound(opened);
    await page.setViewportSize({ width: 390, height: 844 });
    await notice.waitFor();
    await expectSound(opened);
    await context.close();
  }
});

it('shows prices and budgets in both themes and at 390 px', async () => {
  for (const scheme of ['light', 'dark'] as const) {
    const opened = await signedIn(browser, hub, 'Admin', { scheme });
    const { page, context } = opened;
    await goTo(page, hub, 'gateway/providers/prices');
    await page.getByTestId('price-row').first().waitFor();
    await expectSound(opened);
    await goTo(page, hub, 'gateway/usage');
    await page.getByTestId('budget-row').first().waitFor();
    await expectSound(opened);
    for (const path of ['gateway/usage', 'gateway/apps/help-desk?tab=guardrails']) {
      await page.setViewportSize({ width: 390, height: 844 });
      await goTo(page, hub, path);
      await expectSound(opened);
    }
    await context.close();
  }
});
