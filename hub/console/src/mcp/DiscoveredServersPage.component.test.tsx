// MCP servers on devices: adoption, publication in a prefilled form, and reasons against it.
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import { renderPage } from '../testing/render.tsx';
import { listReply, respond, respondWith, sentTo } from '../testing/responder.ts';
import { DiscoveredServersPage } from './DiscoveredServersPage.tsx';
import { publishTexts } from './publish-texts.ts';

const t = publishTexts.discovered;
const aServer = (name: string, over: object = {}) => ({
  ...{ product_id: name, name, vendor: null, platforms: ['linux'], device_count: 3 },
  ...{ user_count: 2, is_remote: true, last_seen_at: '2026-01-01T00:00:00Z', catalog_id: null },
  ...{ url: null, obstacle: null, backends: [], adoption: { gateway: 1, direct: 2 } },
  ...over,
});

beforeEach(() => respond('GET /mcp/backends', () => listReply([])));

const openPage = (items: object[], role: 'Admin' | 'Viewer' = 'Admin') => {
  respond('GET /mcp/discovered-servers', () => listReply(items));
  const route = '/gateway/mcp-servers/discovered';
  return renderPage(DiscoveredServersPage, { route, address: route, role });
};
const findRow = async (name: string) => {
  const rows = await screen.findAllByTestId('discovered-server-row');
  return within(rows.find((row) => row.textContent?.startsWith(name)) ?? screen.getByText(name));
};

it('publishes a discovered server in two clicks', async () => {
  const url = 'https://mcp.linear.app/mcp';
  const backend = { id: 'b1', name: 'Linear' };
  respond('POST /mcp/backends', () => ({ status: 201, body: { backend } }));
  respondWith('POST /mcp/backends/b1/test', { test: {} });
  const { user, path } = await openPage([aServer('Linear', { catalog_id: 'mcp-linear', url })]);
  await user.click(await screen.findByRole('button', { name: t.publishNamed('Linear') }));
  await user.click(await screen.findByRole('button', { name: t.publishAction }));
  await waitFor(() => expect(path()).toBe('/gateway/mcp-servers/b1'));
  expect(sentTo('POST /mcp/backends')[0]?.body).toMatchObject({
    ...{ name: 'Linear', slug: 'linear', url, auth: { kind: 'oauth' } },
  });
});

it('offers the remote server of the vendor for a server that devices run', async () => {
  const url = 'https://api.githubcopilot.com/mcp/';
  const { user } = await openPage([
    aServer('GitHub', { catalog_id: 'mcp-github', url, is_remote: false }),
  ]);
  await user.click(await screen.findByRole('button', { name: t.publishNamed('GitHub') }));
  expect(await screen.findByText(t.instead)).toBeTruthy();
  expect(screen.getByDisplayValue(url)).toBeTruthy();
});

it('names the reason why a server is not published, and the published server of a product', async () => {
  await openPage([
    aServer('Git', { obstacle: 'local_only', is_remote: false }),
    aServer('Intranet', { obstacle: 'private_address' }),
    aServer('Notion', { backends: [{ id: 'b2', name: 'Notion wiki' }] }),
  ]);
  expect((await findRow('Git')).getByText(t.obstacles.local_only)).toBeTruthy();
  expect((await findRow('Intranet')).getByText(t.obstacles.private_address)).toBeTruthy();
  const notion = await findRow('Notion');
  expect(notion.getByRole('link', { name: 'Notion wiki' })).toBeTruthy();
  expect(notion.getByRole('img', { name: publishTexts.adoption.bar(1, 2) })).toBeTruthy();
  expect(screen.queryByRole('button', { name: /^Publish/ })).toBe(null);
});

it('offers a viewer no publication', async () => {
  await openPage([aServer('Linear', { url: 'https://mcp.linear.app/mcp' })], 'Viewer');
  await findRow('Linear');
  expect(screen.queryByRole('button', { name: /^Publish/ })).toBe(null);
});
