// The page of enforcement events: its filters live in the address, and each row names the user.
import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { shellTexts } from '../activity-shell/texts.ts';
import { activitySearch } from '../app/search.ts';
import { aHistogram } from '../testing/histogram-reply.ts';
import { renderPage } from '../testing/render.tsx';
import { listReply, respond, respondWith, sentTo } from '../testing/responder.ts';
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

const FACETS = {
  decision: [
    { value: 'warn', count: 7 },
    { value: 'block', count: 3 },
  ],
  app: [{ value: 'curl', count: 3 }],
  platform: [{ value: 'darwin', count: 3 }],
};

/** Without rows, the test responds to the list itself. */
async function openPage(search = '', rows: readonly object[] | null = [ROW]) {
  if (rows !== null) respond('GET /activity', () => listReply(rows));
  respondWith('GET /activity/histogram', aHistogram('block', [1, 2], FACETS));
  respondWith('GET /own/views', { items: [], request_id: 'r-views' });
  respond('GET /devices', () =>
    listReply([{ device_id: 'd1', hostname: 'laptop-1', subscriber_id: 'ada@example.com' }]),
  );
  respond('GET /discovered-apps', () =>
    listReply([{ entity_id: 'e1', name: 'curl', source: 'apt', platform: 'linux' }]),
  );
  const rendered = await renderPage(ActivityPage, {
    ...{ route: '/activity/enforcement', validateSearch: activitySearch },
    address: `/activity/enforcement${search}`,
  });
  await rendered.user.click(screen.getByRole('button', { name: /^Filters/ }));
  return rendered;
}

const facet = (name: string, value: string) =>
  within(screen.getByTestId(`facet-${name}`)).getByRole('button', { name: new RegExp(value) });

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

it('filters by the values of facets, and removes a filter by a second click', async () => {
  const { user, search } = await openPage();
  await screen.findByTestId('facet-decision');
  await user.click(facet('decision', texts.policies.block));
  await waitFor(() => expect(search()).toEqual({ decision: 'block' }));
  expect(facet('decision', texts.policies.block).getAttribute('aria-pressed')).toBe('true');
  await user.click(facet('platform', texts.platforms.darwin));
  await waitFor(() => expect(search()).toEqual({ decision: 'block', platform: 'darwin' }));
  await waitFor(() => expect(sentTo('GET /activity/histogram').at(-1)?.query).toEqual(search()));
  await user.click(facet('decision', texts.policies.block));
  await waitFor(() => expect(search()).toEqual({ platform: 'darwin' }));
});

it('chooses a preset of the time range, and a period of the histogram', async () => {
  const { user, search } = await openPage();
  await screen.findByTestId('activity-row');
  await user.click(screen.getByRole('radio', { name: shellTexts.presets['24h'] }));
  await waitFor(() => expect(search()).toEqual({ range: '24h' }));
  const dayAgo = Date.now() - 24 * 3_600_000;
  const from = sentTo('GET /activity').at(-1)?.query.from ?? '';
  expect(Math.abs(Date.parse(from) - dayAgo)).toBeLessThan(60_000);
  await user.click(await screen.findByRole('button', { name: shellTexts.showTable }));
  const rows = await screen.findAllByTestId('histogram-row');
  expect(rows).toHaveLength(2);
  await user.click(within(rows[1] as HTMLElement).getByRole('button'));
  const hour = { from: '2026-03-01T10:00:00.000Z', to: '2026-03-01T11:00:00.000Z' };
  await waitFor(() => expect(search()).toEqual(hour));
  await waitFor(() => expect(sentTo('GET /activity').at(-1)?.query).toEqual(hour));
});

it('steps through the details of events with j and k, and closes them with Escape', async () => {
  const second = { ...ROW, activity_id: 'v2', application_name: 'wget' };
  respond('GET /activity', ({ query }) =>
    listReply(
      [ROW, second].filter((row) => [undefined, row.activity_id].includes(query.activity_id)),
    ),
  );
  const { user, search } = await openPage('', null);
  await user.click(await screen.findByRole('button', { name: shellTexts.detailsOf('curl') }));
  const event = async (id: string) => within(await screen.findByTestId('event')).findByText(id);
  await event('v1');
  await user.keyboard('j');
  await event('v2');
  expect(search()).toEqual({ row: 'v2.d1' });
  await user.keyboard('k');
  await event('v1');
  await user.keyboard('{Escape}');
  await waitFor(() => expect(search()).toEqual({}));
});
