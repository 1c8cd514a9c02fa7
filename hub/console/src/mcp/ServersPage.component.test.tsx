// Adding an MCP server from the catalog, its test, and the steps after it.
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import { renderPage, renderPart } from '../testing/render.tsx';
import { listReply, respond, respondWith, sentTo } from '../testing/responder.ts';
import { texts } from '../texts.ts';
import { NextSteps } from './NextSteps.tsx';
import { publishTexts } from './publish-texts.ts';
import { ServersPage } from './ServersPage.tsx';

const words = texts.mcp.servers;
const { catalog, steps, test: testWords, health, adoption } = publishTexts;
const SERVER = { id: 'b1', name: 'Weather' } as Parameters<typeof NextSteps>[0]['server'];
const aStatus = (over: object = {}) => ({
  backend_id: 'b1',
  health: { state: 'unknown', checked_at: null, last_error: null, last_error_at: null },
  ...{ tool_count: null, approved_tool_count: 0, drifted_tool_count: 0 },
  adoption: { gateway: 0, direct: 0 },
  ...over,
});
const aTest = (over: object = {}) => ({
  test: { outcome: 'connected', error: null, latency_ms: 12, tools: [], ...over },
});

beforeEach(() => {
  respond('GET /mcp/backends', () => listReply([]));
  respondWith('GET /mcp/server-status', { items: [] });
  respond('GET /mcp/rules', () => listReply([]));
});

async function openNewServer() {
  const page = await renderPage(ServersPage, {
    ...{ route: '/gateway/mcp-servers', address: '/gateway/mcp-servers' },
  });
  await page.user.click(await screen.findByRole('button', { name: words.new }));
  return { ...page, dialog: within(await screen.findByRole('dialog')) };
}

it('fills the form from the catalog, saves and tests the server, and opens its page', async () => {
  respond('POST /mcp/backends', () => ({ status: 201, body: { backend: SERVER } }));
  respondWith('POST /mcp/backends/b1/test', aTest());
  const { user, path, dialog } = await openNewServer();
  await user.type(dialog.getByRole('searchbox'), 'linear');
  await user.click(dialog.getByRole('button', { name: /^Linear/ }));
  await user.click(dialog.getByRole('button', { name: words.create }));
  await waitFor(() => expect(path()).toBe('/gateway/mcp-servers/b1'));
  expect(sentTo('POST /mcp/backends')[0]?.body).toMatchObject({
    ...{ name: 'Linear', slug: 'linear', url: 'https://mcp.linear.app/mcp' },
    auth: { kind: 'oauth' },
  });
  await waitFor(() => expect(sentTo('POST /mcp/backends/b1/test')).toHaveLength(1));
});

it('tests the connection before the server is saved, and lists its tools', async () => {
  const tools = [{ name: 'forecast', description: 'The weather of tomorrow' }];
  respondWith('POST /mcp/connection-test', aTest({ tools }));
  const { user, dialog } = await openNewServer();
  await user.click(dialog.getByRole('button', { name: new RegExp(`^${catalog.custom}`) }));
  await user.click(dialog.getByRole('button', { name: testWords.run }));
  expect(dialog.getByText(texts.mcp.server.urlNeeded)).toBeTruthy();
  expect(sentTo('POST /mcp/connection-test')).toEqual([]);
  const url = 'https://weather.example.com/mcp';
  await user.type(dialog.getByRole('textbox', { name: words.url }), url);
  await user.click(dialog.getByRole('button', { name: testWords.run }));
  expect(await dialog.findByText('The weather of tomorrow')).toBeTruthy();
  expect(dialog.getByText(testWords.connectedText(1, 12))).toBeTruthy();
  expect(sentTo('POST /mcp/connection-test')[0]?.body).toEqual({
    ...{ url, auth: { kind: 'none' }, headers: [] },
  });
});

it('names the reason of a failed test', async () => {
  const error = 'The server rejected the credential.';
  respondWith('POST /mcp/connection-test', aTest({ outcome: 'failed', error }));
  const { user, dialog } = await openNewServer();
  await user.click(dialog.getByRole('button', { name: new RegExp(`^${catalog.custom}`) }));
  await user.type(dialog.getByRole('textbox', { name: words.url }), 'https://x.example/mcp');
  await user.click(dialog.getByRole('button', { name: testWords.run }));
  expect(await dialog.findByText(new RegExp(error))).toBeTruthy();
});

it('shows health with the error, approved tools and adoption in the list', async () => {
  respond('GET /mcp/backends', () =>
    listReply([{ ...SERVER, url: 'https://x.example', auth: { kind: 'none' }, enabled: true }]),
  );
  const broken = { state: 'unreachable', checked_at: null, last_error: 'It is down' };
  respondWith('GET /mcp/server-status', {
    items: [
      aStatus({
        health: { ...broken, last_error_at: null },
        ...{ tool_count: 5, approved_tool_count: 3, drifted_tool_count: 1 },
        adoption: { gateway: 2, direct: 6 },
      }),
    ],
  });
  await renderPage(ServersPage, {
    ...{ route: '/gateway/mcp-servers', address: '/gateway/mcp-servers' },
  });
  const row = within(await screen.findByTestId('mcp-server-row'));
  expect(await row.findByText(health.states.unreachable)).toBeTruthy();
  for (const text of ['It is down', health.approvedTools(3, 5), health.toolsDrifted(1)]) {
    expect(row.getByText(text)).toBeTruthy();
  }
  expect(row.getByRole('img', { name: adoption.bar(2, 6) })).toBeTruthy();
});

it('marks the steps that are done after a server was added', async () => {
  respondWith('GET /mcp/server-status', { items: [aStatus({ approved_tool_count: 4 })] });
  await renderPart(<NextSteps server={SERVER} />);
  const section = within(await screen.findByRole('region', { name: steps.title }));
  const marks = section.getAllByRole('img').map((icon) => icon.getAttribute('aria-label'));
  expect(marks).toEqual([steps.done, steps.open, steps.open]);
  const hrefs = section.getAllByRole('link').map((link) => link.getAttribute('href'));
  expect(hrefs.map((href) => href?.replace(/.*\/t\/[^/]+/, ''))).toEqual([
    '/gateway/mcp-access',
    '/my/connect',
  ]);
});

it('shows no next steps after tools are approved and a user has called a tool', async () => {
  const status = aStatus({ approved_tool_count: 4, adoption: { gateway: 1, direct: 0 } });
  respondWith('GET /mcp/server-status', { items: [status] });
  const { queries } = await renderPart(<NextSteps server={SERVER} />);
  await waitFor(() => expect(queries.isFetching()).toBe(0));
  expect(screen.queryByRole('region', { name: steps.title })).toBe(null);
});
