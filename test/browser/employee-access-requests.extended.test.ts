// A Member's own LLM requests: live, with the guardrail that stopped a request and its chain, and without any content.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openChromium } from '../support/chromium.ts';
import { expectSound, goTo, openPage, settled, signIn } from '../support/console.ts';
import { aPerson } from '../support/cookie-browser.ts';
import { startTestHub, type TestHub } from '../support/hub.ts';
import { aNode, aRequestLine, minutesAgo } from '../support/logs.ts';
import { makeApp, manage } from '../support/management.ts';

let hub: TestHub;
let browser: Browser;
beforeAll(async () => {
  browser = await openChromium();
  hub = await startTestHub();
  await makeApp(await manage(hub), 'logged');
});
afterAll(async () => {
  await browser?.close();
  await hub?.stop();
});

it.each([
  ['light', 1280],
  ['dark', 390],
] as const)(
  'notifies the owner of a blocked request on arrival, in %s at %i pixels',
  async (scheme, width) => {
    const person = await aPerson(hub, 'Member');
    const node = await aNode(hub, hub.tenantId, `node-${width}`);
    const opened = await openPage(browser, { scheme, width });
    const { page, context, troubles } = opened;
    await signIn(page, hub, person);
    await goTo(page, hub, 'my/activity/llm-requests');
    await page.getByText('No requests in the retention period').waitFor();
    const asked = (id: string, email: string, more: object = {}) =>
      aRequestLine(
        { id: `${id}-${width}`, timestamp: minutesAgo(1), model: '<b>model</b>' },
        {
          metadata: { user_email: email },
          payload: { request_text: 'planted-question' },
          ...more,
        },
      );
    const guardrails = {
      is_blocked: true,
      actions_and_categories: { block: { pii: ['email'] } },
    };
    await node.send('llm-requests', [
      asked('mine', person.email, { guardrails }),
      asked('fine', person.email),
      asked('theirs', 'somebody@example.com'),
    ]);
    const rows = page.getByTestId('own-request-row');
    await expect.poll(() => rows.count(), { timeout: 20_000 }).toBe(2);
    await page.getByRole('combobox', { name: 'Outcome' }).selectOption('Blocked only');
    await expect.poll(() => rows.count()).toBe(1);
    expect(await rows.first().textContent()).toMatch(/<b>model<\/b>.*Blocked.*pii.*email/);
    await expectSound(opened);
    await rows.getByRole('button', { name: `Why: mine-${width}` }).click();
    const chain = page.getByTestId('why');
    await chain.getByText(/Event [0-9a-f-]{36}/).waitFor();
    expect(await chain.getByRole('link').count()).toBe(0);
    await page.reload();
    await settled(page);
    await chain.getByText(/Event [0-9a-f-]{36}/).waitFor();
    expect(await page.content()).not.toContain('planted');
    expect(troubles).toEqual([]);
    await context.close();
  },
);
