// The access matrix: effective access by group and server, changes with a preview, and the list of rules for other cases.
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import { renderPart } from '../testing/render.tsx';
import { listReply, respond, respondWith, sentTo } from '../testing/responder.ts';
import { AccessMatrix } from './AccessMatrix.tsx';
import { publishTexts } from './publish-texts.ts';

const t = publishTexts.matrix;
const cell = (group_id: string | null, access: string, over: object = {}) => ({
  ...{ group_id, backend_id: 'b1', access, allowed_tools: 0, known_tools: 0, is_default: true },
  ...over,
});
const MATRIX = {
  servers: [{ backend_id: 'b1', name: 'Linear', enabled: true, user_rules: 0 }],
  groups: [
    { group_id: 'ops', name: 'Ops', member_count: 3 },
    { group_id: 'sales', name: 'Sales', member_count: 1 },
  ],
  cells: [
    cell('ops', 'all'),
    cell('sales', 'some', { allowed_tools: 2, known_tools: 5 }),
    cell(null, 'none'),
  ],
};
const PREVIEW = 'POST /mcp/access-matrix/preview';

beforeEach(() => {
  respondWith('GET /mcp/access-matrix', MATRIX);
  respondWith(PREVIEW, { is_possible: true, changes: [] });
  respond('GET /mcp/rules', () => listReply([]));
  respond('GET /mcp/backends', () => listReply([]));
  respond('GET /people-groups', () => listReply([]));
});

const findCell = (group: string, access: string) =>
  screen.findByRole('button', { name: t.change(group, 'Linear', access) });

it('shows the effective access of each group, and of users in no group', async () => {
  await renderPart(<AccessMatrix />, 'Viewer');
  const rows = await screen.findAllByTestId('access-matrix-row');
  expect(rows.map((row) => row.textContent)).toEqual([
    `Ops${t.members(3)}${t.access.all}`,
    `Sales${t.members(1)}${t.allowedTools(2, 5)}`,
    `${t.everyoneElse}${t.access.none}`,
  ]);
  expect(screen.queryByRole('button')).toBe(null);
});

it('reserves a server for a group after a preview of who loses access', async () => {
  respond(PREVIEW, ({ body }) => ({
    status: 200,
    body: {
      is_possible: true,
      changes: body.access === 'only' ? [{ group_id: null, from: 'all', to: 'none' }] : [],
    },
  }));
  respondWith('PUT /mcp/access-matrix', { created: [], deleted: [] });
  const { user } = await renderPart(<AccessMatrix />);
  await user.click(await findCell('Ops', t.access.all));
  const dialog = within(await screen.findByRole('dialog'));
  await user.click(dialog.getByRole('radio', { name: t.goals.only }));
  await dialog.findByText(t.line(t.everyoneElse, t.access.all, t.access.none));
  await user.click(dialog.getByRole('button', { name: t.apply }));
  await waitFor(() =>
    expect(sentTo('PUT /mcp/access-matrix')[0]?.body).toEqual({
      ...{ group_id: 'ops', backend_id: 'b1', access: 'only' },
    }),
  );
});

it('links to the list of rules if other rules apply', async () => {
  respondWith(PREVIEW, { is_possible: false, changes: [] });
  const { user } = await renderPart(<AccessMatrix />);
  await user.click(await findCell('Ops', t.access.all));
  const dialog = within(await screen.findByRole('dialog'));
  await dialog.findByText(t.impossible);
  expect(dialog.getByRole('button', { name: t.apply })).toHaveProperty('disabled', true);
  await user.click(dialog.getByRole('button', { name: t.rules }));
  await screen.findByRole('dialog', { name: t.rulesTitle('Linear') });
});

it('opens the list of rules for a cell with some tools', async () => {
  const { user } = await renderPart(<AccessMatrix />);
  await user.click(await findCell('Sales', t.allowedTools(2, 5)));
  await screen.findByRole('dialog', { name: t.rulesTitle('Linear') });
});
