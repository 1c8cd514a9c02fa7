// A paged list in each of its states, and the notice about other users' changes.
import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { topicKey } from '../api/keys.ts';
import { othersChanged } from '../api/live-lists.ts';
import { useList } from '../api/tenant.ts';
import { renderPart } from '../testing/render.tsx';
import {
  listReply,
  loseAnswer,
  refusal,
  respond,
  sentTo,
  TENANT_ID,
} from '../testing/responder.ts';
import { texts } from '../texts.ts';
import { Empty, ListView } from './ListView.tsx';

const LIST = 'GET /devices';
interface Row {
  id: string;
  name: string;
}
const row = (id: string): Row => ({ id, name: `device ${id}` });

function Devices() {
  const list = useList<Row>('devices', '/devices');
  return (
    <ListView
      list={list}
      caption="Devices"
      rowKey={({ id }) => id}
      empty={<Empty title="No device yet" text="Enroll one" />}
      columns={[
        {
          key: 'name',
          header: 'Name',
          render: ({ name }) => <button type="button">{name}</button>,
        },
        { key: 'actions', header: 'Actions', hiddenHeader: true, render: () => null },
      ]}
    />
  );
}

const names = () => screen.queryAllByText(/^device /).map((cell) => cell.textContent);

it('reports that rows are loading before the first answer', async () => {
  const answer = Promise.withResolvers<ReturnType<typeof listReply>>();
  respond(LIST, () => answer.promise);
  await renderPart(<Devices />);
  expect((await screen.findByRole('status')).textContent).toBe(texts.ui.loading);
  expect(screen.queryByRole('table')).toBe(null);
  answer.resolve(listReply([row('1')]));
  await screen.findByText('device 1');
});

it('shows an empty list with its hint instead of a table', async () => {
  respond(LIST, () => listReply([]));
  await renderPart(<Devices />);
  await screen.findByText('No device yet');
  expect(screen.getByText(/Enroll one/)).toBeTruthy();
  expect(screen.queryByRole('table')).toBe(null);
});

it('labels cells with their header and counts the rows', async () => {
  respond(LIST, () => listReply([row('1'), row('2')]));
  await renderPart(<Devices />);
  const table = within(await screen.findByRole('table', { name: 'Devices' }));
  expect(table.getAllByRole('columnheader').map((cell) => cell.textContent)).toEqual([
    'Name',
    'Actions',
  ]);
  const [name, actions] = table.getAllByRole('cell');
  expect(name?.dataset.label).toBe('Name');
  expect(actions?.dataset.label).toBe(undefined);
  expect(screen.getAllByRole('status').map((one) => one.textContent)).toContain(
    texts.ui.shown(2, false),
  );
});

it('shows a failed read with code and request id, and reads again on request', async () => {
  respond(LIST, () => refusal(500, 'internal', 'The database is away.'));
  const { user } = await renderPart(<Devices />);
  const alert = within(await screen.findByRole('alert'));
  expect(alert.getByText('The database is away.')).toBeTruthy();
  expect(alert.getByText('r-internal')).toBeTruthy();
  respond(LIST, () => listReply([row('1')]));
  await user.click(alert.getByRole('button', { name: texts.ui.retry }));
  await screen.findByText('device 1');
  expect(screen.queryByRole('alert')).toBe(null);
});

it('tries an unanswered read three times before it reports it', async () => {
  respond(LIST, loseAnswer);
  await renderPart(<Devices />);
  await screen.findByText(texts.errors.unreachable);
  expect(sentTo(LIST)).toHaveLength(3);
});

it('keeps the rows when a later read fails', async () => {
  respond(LIST, () => listReply([row('1')]));
  const { queries } = await renderPart(<Devices />);
  await screen.findByText('device 1');
  respond(LIST, () => refusal(500, 'internal', 'broken'));
  await act(() => queries.invalidateQueries({ queryKey: topicKey(TENANT_ID, 'devices') }));
  await screen.findByRole('alert');
  expect(names()).toEqual(['device 1']);
});

it('appends the next page behind the rows and then offers no more', async () => {
  respond(LIST, ({ query }) =>
    query.cursor === 'c1' ? listReply([row('2')]) : listReply([row('1')], 'c1'),
  );
  const { user } = await renderPart(<Devices />);
  await screen.findByText(texts.ui.shown(1, true));
  await user.click(screen.getByRole('button', { name: texts.ui.loadMore }));
  await screen.findByText('device 2');
  expect(names()).toEqual(['device 1', 'device 2']);
  expect(screen.queryByRole('button', { name: texts.ui.loadMore })).toBe(null);
});

it('marks a long list as changed while the focus is in it, and reads it on request', async () => {
  respond(LIST, () => listReply([row('1')], 'c1'));
  const { user, queries } = await renderPart(<Devices />);
  await user.click(await screen.findByRole('button', { name: 'device 1' }));
  respond(LIST, () => listReply([row('0'), row('1')], 'c1'));
  act(() => othersChanged(queries, topicKey(TENANT_ID, 'devices')));
  await screen.findByText(texts.ui.listChanged);
  expect(names()).toEqual(['device 1']);
  await user.click(screen.getByRole('button', { name: texts.ui.showChanges }));
  await screen.findByText('device 0');
  await waitFor(() => expect(screen.queryByText(texts.ui.listChanged)).toBe(null));
});

it('reads the first page of a changed long list again where nobody works in it', async () => {
  respond(LIST, () => listReply([row('1')], 'c1'));
  const { queries } = await renderPart(<Devices />);
  await screen.findByText('device 1');
  respond(LIST, () => listReply([row('0'), row('1')], 'c1'));
  act(() => othersChanged(queries, topicKey(TENANT_ID, 'devices')));
  await screen.findByText('device 0');
  expect(screen.queryByText(texts.ui.listChanged)).toBe(null);
  expect(sentTo(LIST)).toHaveLength(2);
});
