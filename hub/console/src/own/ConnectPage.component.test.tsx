// Snippets for MCP clients: the address of all servers or of a single server, without a secret.
import type { OwnAnswer } from '@gatewarden/shared/wire/console/mcp-own.ts';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderPage } from '../testing/render.tsx';
import { refusal, respond, respondWith } from '../testing/responder.ts';
import { texts } from '../texts.ts';
import { ConnectPage } from './ConnectPage.tsx';

const t = texts.own.connect;
const ALL_URL = 'https://hub.example/t/acme/mcp';
const FILES_URL = 'https://hub.example/files/mcp';

const aServer = (fields: object = {}) => ({
  ...{ backend_id: 'b1', name: 'Files', url: FILES_URL, aggregated: true },
  ...{ auth_kind: 'none', connection: 'not_needed' },
  ...fields,
});

function openPage(servers: object[]) {
  const own = { email: 'ada@example.com', mcp_url: ALL_URL, servers } as unknown as OwnAnswer;
  respondWith('GET /mcp/own', own);
  return renderPage(ConnectPage, { route: '/my/connect', address: '/my/connect', role: 'Member' });
}

const snippets = () => [
  ...screen
    .getAllByText((_, element) => element?.tagName === 'PRE')
    .map((snippet) => snippet.textContent),
  ...screen.getAllByRole('link').map((link) => decodeURIComponent(link.getAttribute('href') ?? '')),
];

it('names the address of all servers in every snippet', async () => {
  await openPage([aServer()]);
  await screen.findByText(t.addressText);
  for (const text of snippets()) {
    const [, config] = /config=(.*)$/.exec(text) ?? [];
    expect(config === undefined ? text : atob(config)).toMatch(/gatewarden|https:\/\/hub\.example/);
  }
});

it('contains no secret in any snippet', async () => {
  await openPage([aServer()]);
  await screen.findByText(t.addressText);
  expect(snippets().length).toBeGreaterThan(6);
  for (const text of snippets()) expect(text).not.toMatch(/bearer|token|secret|password|api.?key/i);
});

it('names the chosen server in every snippet', async () => {
  const { user } = await openPage([aServer()]);
  await user.selectOptions(await screen.findByRole('combobox', { name: t.which }), 'Files');
  expect(snippets()[0]).toBe(FILES_URL);
  for (const text of snippets()) expect(text).not.toContain(ALL_URL);
});

it('hints at a server with a separate address', async () => {
  const { user } = await openPage([aServer({ aggregated: false })]);
  await user.selectOptions(await screen.findByRole('combobox', { name: t.which }), 'Files');
  expect(screen.getByText(t.ownAddress)).toBeTruthy();
});

it('copies a snippet exactly as shown', async () => {
  const { user } = await openPage([aServer()]);
  await screen.findByText(t.claudeText);
  const label = `${texts.ui.copy}: ${t.claude}`;
  await user.click(screen.getByRole('button', { name: label }));
  await waitFor(() =>
    expect(
      within(screen.getByRole('button', { name: label })).getByText(texts.ui.copied),
    ).toBeTruthy(),
  );
  expect(await navigator.clipboard.readText()).toBe(
    `claude mcp add --transport http gatewarden ${ALL_URL}`,
  );
});

it('shows that there is no server instead of useless snippets', async () => {
  await openPage([]);
  await screen.findByText(t.empty);
  expect(screen.queryByRole('combobox', { name: t.which })).toBe(null);
});

it('shows the reason of a failed request of the servers', async () => {
  respond('GET /mcp/own', () => refusal(500, 'internal', 'The gateway is off.'));
  await renderPage(ConnectPage, { route: '/my/connect', address: '/my/connect', role: 'Member' });
  await screen.findByText('The gateway is off.');
});
