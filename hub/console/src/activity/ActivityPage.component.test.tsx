// The page of enforcement events: its filters live in the address, and each row names the user.
import { screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { activitySearch } from '../app/search.ts';
import { renderPage } from '../testing/render.tsx';
import { listReply, respond, sentTo } from '../testing/responder.ts';
import { texts } from '../texts.ts';
import { ActivityPage } from './ActivityPage.tsx';

const t = texts.activity;
const AT = '2026-03-01T10:00:00.000Z';
const ROW = {
  ...{ activity_id: 'v1', device_id: 'd1', hostname: 'laptop-1', subscriber_id: 'ada@example.com' },
  ...{ decided_at: AT, received_at: AT, application_name: 'curl', entity_id: 'e1' },
  process: { name: 'curl', executable_path: '/usr/bin/curl', pid: 42, started_at: AT },
  ...{ override_id: null, decision: 'block', enforced: true, outcome: 'terminated' },
};

async function openPage(search = '', rows: readonly object[] = [ROW]) {
  respond('GET /activity', () => listReply(rows));
  respond('GET /devices', () =>
    listReply([{ device_id: 'd1', hostname: 'laptop-1', subscriber_id: 'ada@example.com' }]),
  );
  respond('GET /discovered-apps', () =>
    listReply([{ entity_id: 'e1', name: 'curl', source: 'apt', platform: 'linux' }]),
  );
  return renderPage(ActivityPage, {
    ...{ route: '/activity/enforcement', validateSearch: activitySearch },
    address: `/activity/enforcement${search}`,
  });
}

it('filters by a device and an app that the user searches for', async () => {
  const { user, search } = await openPage();
  await screen.findByTestId('activity-row');
  expect(screen.getByRole('link', { name: 'ada@example.com' })).toBeTruthy();
  await user.click(screen.getByRole('combobox', { name: t.device }));
  await user.click(await screen.findByRole('option', { name: /laptop-1/ }));
  await waitFor(() => expect(search()).toEqual({ device_id: 'd1' }));
  await user.type(screen.getByRole('combobox', { name: t.app }), 'cur');
  await waitFor(() =>
    expect(sentTo('GET /discovered-apps').some(({ query }) => query.query === 'cur')).toBe(true),
  );
  await user.click(await screen.findByRole('option', { name: /curl/ }));
  await waitFor(() =>
    expect(sentTo('GET /activity').at(-1)?.query).toEqual({ device_id: 'd1', entity_id: 'e1' }),
  );
});

it('shows the device of the address, removes it, and distinguishes an empty result from no events', async () => {
  const { user, search } = await openPage('?device_id=d1', []);
  await screen.findByText(texts.ui.noMatch);
  await screen.findByDisplayValue(/laptop-1/);
  await user.click(screen.getByRole('button', { name: texts.ui.removeFilter(t.device) }));
  await waitFor(() => expect(search()).toEqual({}));
  await screen.findByText(t.empty);
});

it('searches by text, and sorts by a header both ways', async () => {
  const { user, search } = await openPage();
  await screen.findByTestId('activity-row');
  await user.type(screen.getByRole('searchbox', { name: t.search }), 'curl');
  await waitFor(() => expect(search()).toEqual({ query: 'curl' }));
  const header = screen.getByRole('columnheader', { name: t.device });
  const device = () => screen.getByRole('button', { name: t.device });
  await user.click(device());
  await waitFor(() =>
    expect(sentTo('GET /activity').at(-1)?.query).toEqual({ query: 'curl', sort: 'device' }),
  );
  expect(header.getAttribute('aria-sort')).toBe('ascending');
  await user.click(device());
  await waitFor(() => expect(search()).toEqual({ query: 'curl', sort: '-device' }));
  expect(header.getAttribute('aria-sort')).toBe('descending');
});
