// Adding an MCP server opens its page, which shows the next steps until the tools are approved.
import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderPage, renderPart } from '../testing/render.tsx';
import { listReply, respond, respondWith } from '../testing/responder.ts';
import { texts } from '../texts.ts';
import { NextSteps } from './NextSteps.tsx';
import { ServersPage } from './ServersPage.tsx';

const words = texts.mcp.servers;
const steps = texts.mcp.nextSteps;
const TOOLS = 'GET /mcp/backends/b1/tools';
const SERVER = { id: 'b1', name: 'Weather' } as Parameters<typeof NextSteps>[0]['server'];

it('opens the page of a server after adding it', async () => {
  respond('GET /mcp/backends', () => listReply([]));
  respond('POST /mcp/backends', () => ({ status: 201, body: { backend: SERVER } }));
  const { user, path } = await renderPage(ServersPage, {
    ...{ route: '/gateway/mcp-servers', address: '/gateway/mcp-servers' },
  });
  await user.click(await screen.findByRole('button', { name: words.new }));
  const dialog = within(await screen.findByRole('dialog'));
  await user.type(dialog.getByLabelText(new RegExp(`^${words.name}`)), 'Weather');
  await user.type(
    dialog.getByLabelText(new RegExp(`^${words.url}`)),
    'https://weather.example.com/mcp',
  );
  await user.clear(dialog.getByLabelText(new RegExp(`^${texts.mcp.server.slug}`)));
  await user.type(dialog.getByLabelText(new RegExp(`^${texts.mcp.server.slug}`)), 'weather');
  await user.click(dialog.getByRole('button', { name: words.create }));
  await waitFor(() => expect(path()).toBe('/gateway/mcp-servers/b1'));
});

it('shows the next steps of a server without approved tools', async () => {
  respondWith(TOOLS, { tools: [] });
  await renderPart(<NextSteps server={SERVER} />);
  const section = within(await screen.findByRole('region', { name: steps.title }));
  expect(section.getByText(steps.approve)).toBeTruthy();
  const hrefs = section.getAllByRole('link').map((link) => link.getAttribute('href'));
  expect(hrefs.map((href) => href?.replace(/.*\/t\/[^/]+/, ''))).toEqual([
    '/gateway/mcp-access',
    '/my/connect',
  ]);
});

it('has no next steps once tools are approved', async () => {
  respondWith(TOOLS, { tools: [{ kind: 'tool', name: 'forecast' }] });
  const { queries } = await renderPart(<NextSteps server={SERVER} />);
  await waitFor(() => expect(queries.isFetching()).toBe(0));
  expect(screen.queryByRole('region', { name: steps.title })).toBe(null);
});
