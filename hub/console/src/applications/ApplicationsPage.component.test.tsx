// The list of apps: filters and order in the address, saved views, selection, and the keys of a review.
import type { ApplicationRow } from '@gatewarden/shared/wire/console/applications.ts';
import type { Role } from '@gatewarden/shared/wire/vocabulary.ts';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { applicationsSearch } from '../app/search.ts';
import { policyTexts } from '../policies/policy-texts.ts';
import { anOverride, aPreview } from '../policies/testing-rows.ts';
import { viewTexts } from '../saved-views/texts.ts';
import { renderPage } from '../testing/render.tsx';
import {
  listReply,
  loseAnswer,
  refusal,
  respond,
  respondWith,
  sentTo,
} from '../testing/responder.ts';
import { texts } from '../texts.ts';
import { ApplicationsPage } from './ApplicationsPage.tsx';
import { reviewTexts } from './review-texts.ts';

const t = texts.applications;
const LIST = 'GET /discovered-apps';
const BULK = 'POST /overrides/bulk';
const BULK_PREVIEW = 'POST /overrides/bulk/preview';

const anApp = (name: string, fields: Partial<ApplicationRow> = {}) =>
  ({
    ...{ entity_id: `e-${name}`, kind: 'application', source: 'apt', name, publisher: null },
    ...{ platform: 'linux', versions: [], device_count: 2, approval_status: 'pending' },
    ...{ execution_policy: null, named_decision_id: null, drifted_at: null },
    ...{ first_seen_at: '2026-03-01T10:00:00.000Z', last_seen_at: '2026-03-01T10:00:00.000Z' },
    ...fields,
  }) as ApplicationRow;

const VIEW = { view_id: 'v1', name: 'Risky', list: 'applications', search: { kind: 'ai_tool' } };

const aBulkPreview = (fields: object = {}) => ({
  ...{ devices: 3, people: 2, processes: 1, ended: 1, guarded: 0, stopped: 0, overruled: 0 },
  ...{ at_least: false, as_of_revision: 12, standing: { count: 0, items: [] } },
  elsewhere: { count: 0, items: [] },
  ...fields,
});

async function openList(
  apps: ApplicationRow[],
  { search = '', role = 'Reviewer' as Role, views = [] as object[] } = {},
) {
  respond(LIST, () => listReply(apps));
  respond('GET /own/views', () => listReply(views));
  for (const { entity_id } of apps) {
    respond(`GET /discovered-apps/${entity_id}/similar`, () => listReply([]));
    respond(`GET /discovered-apps/${entity_id}`, () => refusal(404, 'not_found', ''));
    respondWith(`GET /discovered-apps/${entity_id}/policies`, {
      policies: { count: 0, items: [] },
    });
  }
  const rendered = await renderPage(ApplicationsPage, {
    ...{ route: '/inventory/all', validateSearch: applicationsSearch },
    ...{ address: `/inventory/all${search}`, role },
  });
  const first = apps[0];
  if (first !== undefined) await screen.findByText(first.name);
  return rendered;
}

const select = (name: string) => screen.getByRole('checkbox', { name: reviewTexts.select(name) });

it('reads search, filters and order from the address', async () => {
  await openList([], { search: '?query=curl&kind=ai_tool&sort=-device_count&kind2=x' });
  await screen.findByText(texts.ui.noMatch);
  expect(sentTo(LIST)[0]?.query).toEqual({
    ...{ query: 'curl', kind: 'ai_tool', sort: '-device_count' },
  });
  expect(screen.getByRole('searchbox', { name: t.search })).toHaveProperty('value', 'curl');
  expect(screen.getByRole('combobox', { name: t.kind })).toHaveProperty('value', 'ai_tool');
});

it('drops values of the address that no filter has', async () => {
  await openList([], { search: '?kind=nonsense' });
  await screen.findByText(t.empty);
  expect(sentTo(LIST)[0]?.query).toEqual({});
});

it('stores a chosen filter and a typed search in the address', async () => {
  const { user, search } = await openList([anApp('curl')]);
  await user.selectOptions(
    screen.getByRole('combobox', { name: t.approval }),
    texts.approvals.blocked,
  );
  await waitFor(() => expect(search()).toEqual({ approval_status: 'blocked' }));
  await user.type(screen.getByRole('searchbox', { name: t.search }), 'wget');
  await waitFor(() => expect(search()).toEqual({ approval_status: 'blocked', query: 'wget' }));
  await waitFor(() => expect(sentTo(LIST).at(-1)?.query.query).toBe('wget'));
});

it('sorts by the header of a column, and leaves the usual order out of the address', async () => {
  const { user, search } = await openList([anApp('curl')]);
  await user.click(await screen.findByRole('button', { name: t.firstSeen }));
  await waitFor(() => expect(search()).toEqual({ sort: '-first_seen_at' }));
  expect(screen.getByRole('columnheader', { name: t.firstSeen }).getAttribute('aria-sort')).toBe(
    'descending',
  );
  await user.click(screen.getByRole('button', { name: t.name }));
  await waitFor(() => expect(search()).toEqual({}));
});

it('clears search and filters where nothing matches, and keeps the order', async () => {
  const { user, search } = await openList([], { search: '?query=curl&sort=-device_count' });
  await user.click(await screen.findByRole('button', { name: texts.ui.clearFilters }));
  await waitFor(() => expect(search()).toEqual({ sort: '-device_count' }));
});

it('downloads the list as it is filtered', async () => {
  await openList([anApp('curl')], { search: '?kind=ai_tool' });
  const href = screen.getByRole('link', { name: texts.ui.downloadCsv }).getAttribute('href');
  expect(href).toMatch(/\/discovered-apps\/download\?kind=ai_tool&format=csv$/);
});

it('opens a saved view at its filters', async () => {
  const { user, search } = await openList([anApp('curl')], { views: [VIEW] });
  await user.selectOptions(screen.getByRole('combobox', { name: viewTexts.views }), 'Risky');
  await waitFor(() => expect(search()).toEqual({ kind: 'ai_tool' }));
});

it('warns of a saved view with a filter that there is no more', async () => {
  const old = { ...VIEW, search: { kind: 'ai_tool', owner: 'x' } };
  const { user } = await openList([anApp('curl')], { views: [old] });
  await user.selectOptions(screen.getByRole('combobox', { name: viewTexts.views }), 'Risky');
  await screen.findByText(viewTexts.viewLost(['owner']));
});

it('saves what is filtered as a view', async () => {
  const { user } = await openList([anApp('curl')], { search: '?kind=ai_tool', views: [VIEW] });
  respondWith('POST /own/views', { view: VIEW });
  await user.click(screen.getByRole('button', { name: viewTexts.saveView }));
  const dialog = within(await screen.findByRole('dialog'));
  await user.type(dialog.getByRole('textbox', { name: viewTexts.viewName }), 'risky');
  expect(dialog.getByText(viewTexts.viewTaken)).toBeTruthy();
  await user.click(dialog.getByRole('button', { name: viewTexts.saveView }));
  await screen.findByText(viewTexts.viewSaved);
  expect(sentTo('POST /own/views')[0]?.body).toEqual({
    ...{ list: 'applications', name: 'risky', search: { kind: 'ai_tool' } },
  });
});

it('moves through the rows by j and k and selects by x', async () => {
  respondWith(BULK_PREVIEW, aBulkPreview());
  const { user } = await openList([anApp('curl'), anApp('wget')]);
  const focused = () => document.activeElement?.textContent;
  await user.keyboard('j');
  expect(focused()).toBe('curl');
  await user.keyboard('j');
  expect(focused()).toBe('wget');
  await user.keyboard('x');
  expect(select('wget')).toHaveProperty('checked', true);
  await user.keyboard('k');
  expect(focused()).toBe('curl');
  expect(screen.getByText(reviewTexts.selected(1))).toBeTruthy();
});

it('opens the policy form by b with its preview, and ignores keys while it is open', async () => {
  respond('GET /overrides', () => listReply([]));
  respondWith('POST /overrides/preview', aPreview());
  const { user } = await openList([anApp('curl')]);
  await user.keyboard('jb');
  const dialog = within(await screen.findByRole('dialog', { name: policyTexts.title }));
  expect(dialog.getByRole('radio', { name: policyTexts.steps.blocked })).toHaveProperty(
    'checked',
    true,
  );
  await user.keyboard('x');
  expect(screen.queryByText(reviewTexts.selected(1))).toBe(null);
  await waitFor(() => expect(sentTo('POST /overrides/preview')).toHaveLength(1));
});

it('lists the keys on request', async () => {
  const { user } = await openList([anApp('curl')]);
  await user.keyboard('?');
  const dialog = within(await screen.findByRole('dialog', { name: reviewTexts.keysTitle }));
  for (const [, meaning] of reviewTexts.keyList) expect(dialog.getByText(meaning)).toBeTruthy();
});

it('offers a viewer neither selection nor keys that decide', async () => {
  const { user } = await openList([anApp('curl')], { role: 'Viewer' });
  expect(screen.queryByRole('checkbox')).toBe(null);
  await user.keyboard('jxb');
  expect(screen.queryByRole('dialog')).toBe(null);
});

async function openBulk() {
  const rendered = await openList([anApp('curl'), anApp('wget')]);
  respondWith(BULK_PREVIEW, aBulkPreview());
  await rendered.user.click(select('curl'));
  await rendered.user.click(select('wget'));
  await screen.findByText(policyTexts.reach(3, 2));
  await rendered.user.click(screen.getByRole('button', { name: policyTexts.set }));
  const dialog = within(await screen.findByRole('dialog'));
  await rendered.user.click(dialog.getByRole('radio', { name: policyTexts.steps.blocked }));
  const submit = () => dialog.getByRole('button', { name: reviewTexts.store(2) });
  await waitFor(() => expect(submit()).toHaveProperty('disabled', false));
  return { ...rendered, dialog, submit };
}

const decided = (name: string) => ({
  entity_id: `e-${name}`,
  override: anOverride({ override_id: `o-${name}` }),
  error: null,
});

it('stores one policy for many after one preview, with one way back for all', async () => {
  const { user, dialog, submit } = await openBulk();
  expect(dialog.getByText(reviewTexts.ended(1))).toBeTruthy();
  respondWith(BULK, { results: [decided('curl'), decided('wget')] });
  await user.click(submit());
  await screen.findByText(reviewTexts.stored(2));
  expect(sentTo(BULK)[0]?.body).toMatchObject({ entity_ids: ['e-curl', 'e-wget'] });
  respondWith('DELETE /overrides/o-curl', {});
  respondWith('DELETE /overrides/o-wget', {});
  await user.click(screen.getByRole('button', { name: reviewTexts.undo }));
  await screen.findByText(reviewTexts.undone(2));
});

it('changes policies that apps have already, and restores them with Undo', async () => {
  const { user, submit } = await openBulk();
  const before = anOverride({
    ...{ override_id: 'o-curl', version: '"1"', approval_status: 'restricted' },
  });
  const after = { ...before, version: '"2"', approval_status: 'blocked' as const };
  respondWith(BULK, {
    results: [
      { entity_id: 'e-curl', override: after, before, error: null },
      { entity_id: 'e-wget', override: before, before, error: null },
    ],
  });
  await user.click(submit());
  await screen.findByText(reviewTexts.stored(2));
  const body = sentTo(BULK)[0]?.body;
  expect(Object.keys(body)).not.toContain('reason');
  respondWith('PATCH /overrides/o-curl', { override: before });
  await user.click(screen.getByRole('button', { name: reviewTexts.undo }));
  await screen.findByText(reviewTexts.undone(1));
  expect(sentTo('PATCH /overrides/o-curl')[0]?.body).toEqual({
    approval_status: before.approval_status,
  });
});

it('keeps selected what could not be stored, with the reason', async () => {
  const { user, dialog, submit } = await openBulk();
  const error = { code: 'conflict', message: 'Somebody decided meanwhile.' };
  respondWith(BULK, {
    results: [decided('curl'), { entity_id: 'e-wget', override: null, error }],
  });
  await user.click(submit());
  await dialog.findByText(reviewTexts.failed);
  expect(dialog.getByRole('alert').textContent).toContain(`wget: ${error.message}`);
  expect(dialog.getByRole('button', { name: reviewTexts.store(1) })).toBeTruthy();
});

it('sends many policies again under the same id after a lost answer', async () => {
  const { user, dialog, submit } = await openBulk();
  respond(BULK, loseAnswer);
  await user.click(submit());
  await dialog.findByText(texts.errors.unreachable);
  respondWith(BULK, { results: [decided('curl'), decided('wget')] });
  await user.click(submit());
  await screen.findByText(reviewTexts.stored(2));
  const ids = sentTo(BULK).map(({ body }) => body.bulk_id);
  expect(ids).toEqual([ids[0], ids[0]]);
});
