// Alerts by role, the actions of a reviewer, and the filters in the URL.
import type { AlertGroup, AlertRow } from '@gatewarden/shared/wire/console/alerts.ts';
import type { Role } from '@gatewarden/shared/wire/vocabulary.ts';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { alertsSearch } from '../app/search.ts';
import { policyTexts } from '../policies/policy-texts.ts';
import { aPolicyInForce, aPreview } from '../policies/testing-rows.ts';
import { productTexts } from '../products/texts.ts';
import { ACKNOWLEDGED, anAlert } from '../testing/alert-rows.ts';
import { aHistogram } from '../testing/histogram-reply.ts';
import { aProductDetail } from '../testing/product-rows.ts';
import { renderPage, SELF } from '../testing/render.tsx';
import {
  listReply,
  loseAnswer,
  refusal,
  respond,
  respondWith,
  sentTo,
} from '../testing/responder.ts';
import { texts } from '../texts.ts';
import { whyTexts } from '../why/texts.ts';
import { AlertsPage } from './AlertsPage.tsx';
import { headline } from './FreshAlerts.tsx';
import { alertAddress } from './open-alerts.ts';
import { alertFacetTexts, assignTexts, groupTexts, resolveTexts as r } from './texts.ts';

const t = texts.alerts;
const ALERT = anAlert();
const NAMED = headline(ALERT);
const ACKNOWLEDGE = 'POST /alerts/a1/acknowledge';
const ASSIGN = 'POST /alerts/a1/assign';
const RESOLVE = 'POST /alerts/resolve';

/** Opens the page with these alerts; the next request returns changes of `stored`. */
async function openAlerts(alerts: AlertRow[], { role = 'Reviewer' as Role, search = '' } = {}) {
  const stored = { alerts };
  respond('GET /alerts', () => listReply(stored.alerts));
  respondWith('GET /alerts/histogram', aHistogram('high', [1, 2], FACETS));
  respondWith('GET /own/views', { items: [], request_id: 'r-views' });
  respond('GET /alerts/a1', () => ({ status: 200, body: { alert: stored.alerts[0] } }));
  const rendered = await renderPage(AlertsPage, {
    ...{ route: '/activity/alerts', validateSearch: alertsSearch },
    ...{ address: `/activity/alerts${search}`, role },
  });
  const openFilters = () => rendered.user.click(screen.getByRole('button', { name: /^Filters/ }));
  return { ...rendered, stored, openFilters };
}

const FACETS = {
  severity: [
    { value: 'low', count: 9 },
    { value: 'high', count: 3 },
  ],
  state: [
    { value: 'open', count: 3 },
    { value: 'acknowledged', count: 4 },
  ],
};
const facet = async (name: string, value: string) =>
  within(await screen.findByTestId(`facet-${name}`)).getByRole('button', {
    name: new RegExp(`^${value}`),
  });

const acknowledgeButton = () => screen.findByRole('button', { name: t.acknowledgeNamed(NAMED) });
const assignButton = () => screen.findByRole('button', { name: assignTexts.assignNamed(NAMED) });

it('offers a viewer neither acknowledgment nor assignment', async () => {
  await openAlerts([ALERT], { role: 'Viewer' });
  await screen.findByRole('button', { name: whyTexts.whyNamed(NAMED) });
  expect(screen.queryByRole('button', { name: t.acknowledgeNamed(NAMED) })).toBe(null);
  expect(screen.queryByRole('button', { name: assignTexts.assignNamed(NAMED) })).toBe(null);
  expect(screen.queryByRole('combobox', { name: assignTexts.assigned })).toBe(null);
});

it('resolves the selected alerts together, with a result and a comment', async () => {
  const second = anAlert({ alert_id: 'a2', application_name: 'wget' });
  const { user } = await openAlerts([ALERT, second]);
  for (const row of [ALERT, second]) {
    await user.click(await screen.findByRole('checkbox', { name: r.select(headline(row)) }));
  }
  const bar = within(screen.getByTestId('selection-bar'));
  bar.getByText(r.selected(2));
  await user.click(bar.getByRole('button', { name: r.open }));
  const dialog = within(await screen.findByRole('dialog', { name: r.title(2) }));
  await user.selectOptions(dialog.getByRole('combobox', { name: r.resolution }), 'expected');
  await user.type(dialog.getByRole('textbox', { name: r.comment }), 'Planned test');
  respondWith(RESOLVE, { resolved: 2 });
  await user.click(dialog.getByRole('button', { name: r.submit(2) }));
  await screen.findByText(r.done(2));
  const { device_id } = ALERT;
  expect(sentTo(RESOLVE)[0]?.body).toEqual({
    alerts: [
      { alert_id: 'a1', device_id, instead_of: null },
      { alert_id: 'a2', device_id, instead_of: null },
    ],
    ...{ resolution: 'expected', comment: 'Planned test' },
  });
  await waitFor(() => expect(screen.queryByTestId('selection-bar')).toBe(null));
});

it('shows the resolution of another reviewer before it is replaced', async () => {
  respond('GET /alerts/a1/why', () => refusal(404, 'not_found', ''));
  const { user, stored } = await openAlerts([ALERT]);
  respond(RESOLVE, () => {
    if (stored.alerts[0]?.resolution === 'expected') return { status: 200, body: { resolved: 1 } };
    stored.alerts = [anAlert({ ...ACKNOWLEDGED, resolution: 'expected' })];
    return refusal(412, 'precondition_failed', '');
  });
  await user.click(await screen.findByRole('link', { name: t.actions.block }));
  const drawer = within(await screen.findByRole('dialog'));
  await user.click(await drawer.findByRole('button', { name: r.open }));
  const dialog = within(await screen.findByRole('dialog', { name: r.title(1) }));
  await user.click(dialog.getByRole('button', { name: r.submit(1) }));
  await dialog.findByText(new RegExp(`resolved this alert: ${r.resolutions.expected}`));
  await user.click(dialog.getByRole('button', { name: r.submit(1) }));
  await screen.findByText(r.done(1));
  const seen = sentTo(RESOLVE).map(({ body }) => body);
  expect(seen).toMatchObject([
    { alerts: [{ instead_of: null }], resolution: 'fixed' },
    { alerts: [{ instead_of: 'expected' }], resolution: 'fixed' },
  ]);
});

it('shows the state of an alert as new, in progress, or resolved with its result', async () => {
  await openAlerts(
    [
      ALERT,
      anAlert({ alert_id: 'a2', assigned_to: 'eve@example.com' }),
      anAlert({ alert_id: 'a3', ...ACKNOWLEDGED, resolution: 'false_positive' }),
    ],
    { role: 'Viewer' },
  );
  const rows = await screen.findAllByTestId('alert-row');
  const labels = [t.states.open, r.inProgress, `${r.resolved} · ${r.resolutions.false_positive}`];
  for (const [index, label] of labels.entries()) {
    within(rows[index] as HTMLElement).getByText(label);
  }
  expect(screen.queryByRole('checkbox', { name: r.select(NAMED) })).toBe(null);
});

it('acknowledges an alert and shows the reviewer', async () => {
  const { user, stored } = await openAlerts([ALERT]);
  respond(ACKNOWLEDGE, () => {
    stored.alerts = [anAlert(ACKNOWLEDGED)];
    return { status: 200, body: { alert: stored.alerts[0] } };
  });
  await user.click(await acknowledgeButton());
  await screen.findByText(t.states.acknowledged, { selector: '.gw-badge' });
  expect(screen.getByRole('link', { name: SELF }).getAttribute('href')).toContain('/users/');
  expect(sentTo(ACKNOWLEDGE)[0]?.query).toEqual({ device_id: ALERT.device_id });
  expect(screen.queryByRole('button', { name: t.acknowledgeNamed(NAMED) })).toBe(null);
});

it('reports no failure after a lost response to an acknowledgment', async () => {
  const { user, stored } = await openAlerts([ALERT]);
  respond(ACKNOWLEDGE, () => {
    const isFirst = stored.alerts[0]?.state === 'open';
    stored.alerts = [anAlert(ACKNOWLEDGED)];
    return isFirst ? loseAnswer() : { status: 200, body: { alert: stored.alerts[0] } };
  });
  await user.click(await acknowledgeButton());
  await screen.findByText(t.states.acknowledged, { selector: '.gw-badge' });
  expect(sentTo(ACKNOWLEDGE)).toHaveLength(2);
  expect(screen.queryByText(t.acknowledgeFailed)).toBe(null);
});

it('reports a rejected acknowledgment and leaves the alert open', async () => {
  const { user } = await openAlerts([ALERT]);
  respond(ACKNOWLEDGE, () => refusal(403, 'forbidden', 'Your role does not allow this.'));
  await user.click(await acknowledgeButton());
  await screen.findByText(t.acknowledgeFailed);
  expect(screen.getByText(/r-forbidden/)).toBeTruthy();
  expect(await acknowledgeButton()).toBeTruthy();
});

it('offers the chain behind a policy, and none for what an agent reports about itself', async () => {
  await openAlerts([ALERT, anAlert({ alert_id: 'a2', action: 'agent', override_id: null })]);
  await acknowledgeButton();
  expect(screen.getAllByRole('button', { name: /^Why/ })).toHaveLength(1);
});

it('opens an alert at its own URL', async () => {
  respond('GET /alerts/a1/why', () => refusal(404, 'not_found', ''));
  const { user, search } = await openAlerts([ALERT], { search: '?state=open' });
  await user.click(await screen.findByRole('link', { name: t.actions.block }));
  const dialog = within(await screen.findByRole('dialog'));
  await dialog.findByText(ALERT.message);
  expect(search()).toEqual({ state: 'open', alert: alertAddress(ALERT) });
  await user.keyboard('{Escape}');
  await waitFor(() => expect(search()).toEqual({ state: 'open' }));
});

const EXPLAINED = { happened: null, process: null, mapping: null, override: null, events: [] };

it('opens the policy control for the product of an alert, on all its platforms or fewer', async () => {
  respondWith('GET /alerts/a1/why', {
    ...{ ...EXPLAINED, access_request_id: null },
    application: { entity_id: 'e1', name: 'curl' },
  });
  const product = aProductDetail({ policies: { count: 1, items: [aPolicyInForce()] } });
  respondWith('GET /discovered-apps/e1/product', { product });
  respondWith('GET /products/p1', { product });
  respond('GET /product-policies', () => listReply([]));
  respondWith('POST /product-policies/bulk/preview', { ...aPreview(), entity_ids: [] });
  respond('POST /product-policies', () => ({ status: 201, body: { policy: {} } }));
  const { user } = await openAlerts([ALERT], { search: `?alert=${alertAddress(ALERT)}` });
  await user.click(await screen.findByRole('button', { name: policyTexts.approve }));
  const dialog = within(await screen.findByRole('dialog', { name: policyTexts.title }));
  const approved = await dialog.findByRole('radio', { name: policyTexts.steps.approved });
  expect(approved).toHaveProperty('checked', true);
  const { linux, darwin } = productTexts.platformNames;
  await dialog.findByText(productTexts.appliesToAll('curl', `${linux}, ${darwin}`));
  const inForce = within(await dialog.findByRole('region', { name: policyTexts.inForce }));
  await inForce.findByText(policyTexts.steps.blocked);
  expect(inForce.getByText(policyTexts.origins.application, { exact: false })).toBeTruthy();
  expect(inForce.getByRole('link', { name: texts.preview.showDecision })).toBeTruthy();
  const platform = dialog.getByRole('combobox', { name: productTexts.platform });
  await user.selectOptions(platform, 'linux');
  await dialog.findByText(productTexts.appliesToPlatform('curl', linux));
  const apply = dialog.getByRole('button', { name: productTexts.apply });
  await waitFor(() => expect(apply).toHaveProperty('disabled', false));
  await user.click(apply);
  await screen.findByText(productTexts.applied([policyTexts.productOn('curl', linux)]));
  expect(sentTo('POST /product-policies')[0]?.body).toMatchObject({
    ...{ product_id: 'p1', platform: 'linux', execution_policy: 'allow' },
    scope: { kind: 'tenant' },
  });
});

it('offers the policy control by name for an unknown app', async () => {
  respondWith('GET /alerts/a1/why', {
    ...{ ...EXPLAINED, access_request_id: null },
    application: { entity_id: null, name: 'curl' },
  });
  respondWith('POST /overrides/preview', aPreview());
  const search = `?alert=${alertAddress(ALERT)}`;
  const { user } = await openAlerts([ALERT], { search });
  await user.click(await screen.findByRole('button', { name: policyTexts.block }));
  await screen.findByText(policyTexts.appliesToName('curl'));
  await waitFor(() =>
    expect(sentTo('POST /overrides/preview')[0]?.body).toMatchObject({ match: { name: 'curl' } }),
  );
});

it('offers a viewer no policy control in an alert', async () => {
  respondWith('GET /alerts/a1/why', { ...EXPLAINED, application: null, access_request_id: null });
  const search = `?alert=${alertAddress(ALERT)}`;
  await openAlerts([ALERT], { role: 'Viewer', search });
  await within(await screen.findByRole('dialog')).findByText(ALERT.message);
  await waitFor(() => expect(sentTo('GET /alerts/a1/why')).toHaveLength(1));
  expect(screen.queryByRole('button', { name: policyTexts.block })).toBe(null);
});

it.each([
  ['of a device that names no policy', { override_id: null }, groupTexts.unnamedDecision],
  ['of the agent itself', { override_id: null, action: 'agent' }, groupTexts.noDecision],
  ['of a named policy', {}, groupTexts.toDecision],
] as const)('shows whose decision is behind an alert %s', async (_case, fields, text) => {
  const alert = anAlert(fields);
  respond('GET /alerts/a1/why', () => refusal(404, 'not_found', ''));
  await openAlerts([alert], { search: `?alert=${alertAddress(alert)}` });
  await within(await screen.findByRole('dialog')).findByText(text);
});

it('reads the filters from the URL and stores a choice there', async () => {
  const opened = await openAlerts([], { search: '?severity=high&unknown=x' });
  const { user, search, openFilters } = opened;
  await screen.findByText(t.empty);
  await openFilters();
  const all = screen.getByRole('link', { name: t.showAll }).getAttribute('href') ?? '';
  expect(new URL(all, 'https://hub').search).toBe('?severity=high&state=all');
  expect(sentTo('GET /alerts')[0]?.query).toEqual({ severity: 'high', state: 'open' });
  await user.click(await facet('state', alertFacetTexts.states.acknowledged));
  await waitFor(() => expect(search()).toEqual({ severity: 'high', state: 'acknowledged' }));
  await waitFor(() =>
    expect(sentTo('GET /alerts').at(-1)?.query).toEqual({
      severity: 'high',
      state: 'acknowledged',
    }),
  );
  await user.click(await facet('severity', texts.severities.high));
  await waitFor(() => expect(search()).toEqual({ state: 'acknowledged' }));
});

it('shows open alerts first, and all of them on request', async () => {
  const { user, search, openFilters } = await openAlerts([ALERT]);
  expect(sentTo('GET /alerts')[0]?.query).toEqual({ state: 'open' });
  await openFilters();
  const state = () => facet('state', alertFacetTexts.states.open);
  expect((await state()).getAttribute('aria-pressed')).toBe('true');
  await user.click(await state());
  await waitFor(() => expect(search()).toEqual({ state: 'all' }));
  await waitFor(() => expect(sentTo('GET /alerts').at(-1)?.query).toEqual({}));
  await user.click(await state());
  await waitFor(() => expect(search()).toEqual({}));
});

it('sorts alerts by time in both directions', async () => {
  const { user, search } = await openAlerts([ALERT]);
  const header = await screen.findByRole('columnheader', { name: t.when });
  expect(header.getAttribute('aria-sort')).toBe('descending');
  await user.click(within(header).getByRole('button'));
  await waitFor(() => expect(search()).toEqual({ sort: 'time' }));
  await waitFor(() => expect(sentTo('GET /alerts').at(-1)?.query.sort).toBe('time'));
  expect(header.getAttribute('aria-sort')).toBe('ascending');
  await user.click(within(header).getByRole('button'));
  await waitFor(() => expect(search()).toEqual({}));
});

it('shows that there are no alerts without a filter', async () => {
  await openAlerts([]);
  await screen.findByText(t.empty);
});

it('offers all alerts again if the URL names a device', async () => {
  const { user, search, openFilters } = await openAlerts([ALERT], { search: '?device_id=d1' });
  await openFilters();
  await user.click(await screen.findByRole('button', { name: groupTexts.clear }));
  await waitFor(() => expect(search()).toEqual({}));
});

it('assigns an alert to the signed-in user, in the state that the user saw', async () => {
  const { user, stored } = await openAlerts([ALERT]);
  respond('GET /alert-assignees', () => listReply([{ email: 'eve@example.com' }]));
  respond(ASSIGN, () => {
    stored.alerts = [anAlert({ assigned_to: SELF })];
    return { status: 200, body: { alert: stored.alerts[0] } };
  });
  await user.click(await assignButton());
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.getByRole('combobox')).toHaveProperty('value', SELF);
  await user.click(dialog.getByRole('button', { name: assignTexts.store }));
  await screen.findByRole('link', { name: SELF });
  expect(sentTo(ASSIGN)[0]?.body).toEqual({ assigned_to: SELF, instead_of: null });
});

it('reports a concurrent assignment and stores only a new choice', async () => {
  const { user, stored } = await openAlerts([ALERT]);
  respond('GET /alert-assignees', () => listReply([{ email: 'eve@example.com' }]));
  respond(ASSIGN, () => {
    stored.alerts = [anAlert({ assigned_to: 'eve@example.com' })];
    return refusal(412, 'version_conflict', 'taken');
  });
  await user.click(await assignButton());
  const dialog = within(await screen.findByRole('dialog'));
  const store = dialog.getByRole('button', { name: assignTexts.store });
  await user.click(store);
  await dialog.findByText(assignTexts.conflict('eve@example.com'));
  expect(store).toHaveProperty('disabled', true);
  await user.selectOptions(dialog.getByRole('combobox'), assignTexts.nobody);
  await user.selectOptions(dialog.getByRole('combobox'), assignTexts.self(SELF));
  respondWith(ASSIGN, { alert: anAlert({ assigned_to: SELF }) });
  await user.click(store);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBe(null));
  expect(sentTo(ASSIGN).at(-1)?.body).toEqual({
    assigned_to: SELF,
    instead_of: 'eve@example.com',
  });
});

const GROUP = {
  ...{ group: 'f'.repeat(32), day: '2026-03-01', count: 3, open: 2, alert: ALERT },
  ...{ first_at: ALERT.received_at, last_at: ALERT.received_at },
} as AlertGroup;

it('acknowledges the open alerts of a cluster with a single request', async () => {
  respond('GET /alert-groups', () => listReply([GROUP]));
  const { user } = await openAlerts([], { search: '?view=groups&severity=high' });
  respondWith('POST /alert-groups/acknowledge', { acknowledged: 2 });
  await user.click(
    await screen.findByRole('button', { name: groupTexts.acknowledgeNamed(2, NAMED) }),
  );
  await screen.findByText(groupTexts.acknowledged(2));
  expect(sentTo('POST /alert-groups/acknowledge').map(({ body }) => body)).toEqual([
    { group: GROUP.group, day: GROUP.day, until: GROUP.last_at, severity: 'high' },
  ]);
});

it('offers a viewer no acknowledgment of clusters', async () => {
  respond('GET /alert-groups', () => listReply([GROUP]));
  await openAlerts([], { role: 'Viewer', search: '?view=groups' });
  await screen.findByText(groupTexts.open(2));
  expect(screen.queryByRole('button', { name: groupTexts.acknowledgeNamed(2, NAMED) })).toBe(null);
});
