// The data that the tray app shows as sent is compared with the very bytes that left the device.
import { startHubDouble } from '@gatewarden/agent/test/hub-double.ts';
import { expect, it } from 'vitest';
import { openChromium } from '../support/chromium.ts';
import { serveTray, startAgentApart, whyNoneApart } from '../support/tray.ts';

const WHY_NOT = whyNoneApart();
if (WHY_NOT !== null) process.stdout.write(`skipped: what is sent, by a real agent: ${WHY_NOT}\n`);

const SECRET = 'sk-planted-abcdefgh12345678';

it.skipIf(WHY_NOT !== null)('shows exactly the data that was sent to the hub', async () => {
  const double = await startHubDouble();
  const hub = {
    url: double.url,
    tenantId: '01900000-0000-7000-8000-000000000001',
    agentToken: 'agent-token',
  };
  const agent = await startAgentApart(hub, 'alice@example.com', [], {
    sources: ['mcp_config'],
    home: {
      '.cursor/mcp.json': JSON.stringify({
        mcpServers: {
          'a <b>name</b> \u202e': { command: 'npx', args: ['-y', 'gw-first', '--token', SECRET] },
          two: { command: 'npx', args: ['-y', 'gw-two'], env: { API_KEY: SECRET } },
          three: { url: `https://u:${SECRET}@mcp.example.com/x?key=${SECRET}` },
        },
      }),
    },
  });
  const browser = await openChromium();
  const tray = await serveTray(browser);
  try {
    const sent = () => double.batches.flatMap((batch) => batch.entities);
    await expect.poll(() => sent().length).toBe(3);
    const { page, troubles } = await tray.open(agent.dataDir);
    await page.getByRole('button', { name: 'What is sent' }).click();
    await expect.poll(() => page.getByTestId('entity').count()).toBe(3);
    const shown = await page.getByTestId('entity').locator('pre').allTextContents();
    const byId = (all: readonly { entity_id: string }[]) =>
      [...all].sort((a, b) => (a.entity_id < b.entity_id ? -1 : 1));
    expect(byId(shown.map((text) => JSON.parse(text)))).toEqual(byId(sent()));
    for (const value of Object.values(double.batches[0]?.device ?? {})) {
      await page.getByText(String(value), { exact: true }).first().waitFor();
    }
    expect(await page.content()).not.toContain(SECRET);
    expect(JSON.stringify(double.seen)).not.toContain(SECRET);
    expect(double.violations).toEqual([]);
    expect(troubles).toEqual([]);
  } finally {
    await tray.close();
    await browser.close();
    await agent.end();
    await double.close();
  }
});
