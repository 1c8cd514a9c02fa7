// The page of policies: order by its headers and in the address, and how many policies there are.
import { screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { decisionsSearch } from '../app/search.ts';
import { renderPage } from '../testing/render.tsx';
import { respondWith, sentTo } from '../testing/responder.ts';
import { texts } from '../texts.ts';
import { DecisionsPage } from './DecisionsPage.tsx';
import { anOverride } from './testing-rows.ts';

const t = texts.decisions;
const LIST = 'GET /overrides';

async function openPolicies(search = '', total: number | null = 2134) {
  respondWith(LIST, { items: [anOverride()], next_cursor: 'next', total, request_id: 'r' });
  respondWith('GET /emergency-stop', { enforcement_ceiling: 'enforce' });
  const rendered = await renderPage(DecisionsPage, {
    ...{ route: '/policies', validateSearch: decisionsSearch },
    ...{ address: `/policies${search}`, role: 'Viewer' },
  });
  await screen.findByTestId('decision-row');
  return rendered;
}

const order = (name: string) =>
  screen.getByRole('columnheader', { name }).getAttribute('aria-sort');

it('sorts by a header, and returns to the newest first by a second click', async () => {
  const { user, search } = await openPolicies();
  expect(sentTo(LIST)[0]?.query).toEqual({});
  expect([order(t.changed), order(t.ends)]).toEqual(['none', 'none']);
  await user.click(screen.getByRole('button', { name: t.ends }));
  await waitFor(() => expect(search()).toEqual({ sort: 'expires_at' }));
  await waitFor(() => expect(sentTo(LIST).at(-1)?.query).toEqual({ sort: 'expires_at' }));
  expect([order(t.changed), order(t.ends)]).toEqual(['none', 'ascending']);
  await user.click(screen.getByRole('button', { name: t.ends }));
  await waitFor(() => expect(search()).toEqual({}));
});

it('reads the order of the address', async () => {
  await openPolicies('?sort=-execution_policy');
  expect(sentTo(LIST)[0]?.query).toEqual({ sort: '-execution_policy' });
  expect(order(t.approval)).toBe('descending');
});

it('drops an unknown order of the address', async () => {
  await openPolicies('?sort=nonsense');
  expect(sentTo(LIST)[0]?.query).toEqual({});
});

it.each([
  [2134, '1–1 of 2,134'],
  [null, '1–1, more available'],
])('shows the total %s as %s', async (total, text) => {
  await openPolicies('', total);
  expect(screen.getByText(text)).toBeTruthy();
});
