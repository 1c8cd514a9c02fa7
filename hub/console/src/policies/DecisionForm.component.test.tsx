// The form of a policy: no store before its preview, faults at their fields, and policies that colleagues stored meanwhile.
import type { ListedOverride } from '@gatewarden/shared/wire/console/overrides.ts';
import { screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { renderPart, SELF } from '../testing/render.tsx';
import {
  listReply,
  loseAnswer,
  refusal,
  respond,
  respondWith,
  sentTo,
} from '../testing/responder.ts';
import { texts } from '../texts.ts';
import { EditDecision } from './EditDecision.tsx';
import { NewDecision } from './NewDecision.tsx';
import { policyTexts } from './policy-texts.ts';
import { anOverride, aPreview } from './testing-rows.ts';

const t = texts.decide;
const PREVIEW = 'POST /overrides/preview';
const CREATE = 'POST /overrides';
const PATCH = 'PATCH /overrides/o1';

const preview = () => screen.getByRole('region', { name: texts.preview.title });
const radio = (name: string) => screen.getByRole('radio', { name });
const chooseScope = (user: UserEvent, name: string) => user.click(radio(name));
const openAdvanced = (user: UserEvent) =>
  user.click(screen.getByRole('button', { name: policyTexts.advanced }));
const submit = (name: string = t.submit) => screen.getByRole('button', { name });
const enabled = (name?: string) =>
  waitFor(() => expect(submit(name)).toHaveProperty('disabled', false));

async function openNew() {
  respondWith(PREVIEW, aPreview());
  respond(CREATE, ({ body }) => ({
    status: 201,
    body: { override: anOverride({ ...body, updated_by: SELF }) },
  }));
  return renderPart(<NewDecision match={{ name: 'curl' }} />);
}

async function openEdit(original: ListedOverride, role?: 'Reviewer') {
  respondWith(PREVIEW, aPreview());
  const rendered = await renderPart(
    <EditDecision override={original} onClose={() => undefined} />,
    role,
  );
  await screen.findByRole('dialog');
  return rendered;
}

async function giveReason(user: UserEvent, reason: string) {
  const field = screen.getByRole('textbox', { name: t.reason });
  await user.clear(field);
  await user.click(field);
  await user.paste(reason);
}

it('cannot be stored before its preview is shown', async () => {
  const { user } = await openNew();
  const answer = Promise.withResolvers<{ status: number; body: unknown }>();
  respond(PREVIEW, () => answer.promise);
  expect(submit()).toHaveProperty('disabled', true);
  expect(preview().textContent).toContain(texts.preview.waiting);
  await user.click(radio(policyTexts.steps.blocked));
  await waitFor(() => expect(sentTo(PREVIEW)).toHaveLength(1));
  expect(preview().textContent).toContain(texts.preview.loading);
  expect(submit()).toHaveProperty('disabled', true);
  answer.resolve({ status: 200, body: aPreview() });
  await within(preview()).findByText('laptop-7');
  await enabled();
});

it('cannot be stored while its preview failed, and previews again on request', async () => {
  const { user } = await openNew();
  respond(PREVIEW, () => refusal(500, 'internal', 'broken'));
  await user.click(radio(policyTexts.steps.blocked));
  const alert = within(await screen.findByRole('alert'));
  expect(submit()).toHaveProperty('disabled', true);
  respondWith(PREVIEW, aPreview());
  await user.click(alert.getByRole('button', { name: texts.ui.retry }));
  await enabled();
});

it('sends the pair of the chosen step, and marks a pair chosen under Advanced as custom', async () => {
  const { user } = await openNew();
  await user.click(radio(policyTexts.steps.quarantined));
  await waitFor(() =>
    expect(sentTo(PREVIEW).at(-1)?.body).toMatchObject({
      ...{ approval_status: 'blocked', execution_policy: 'quarantine' },
    }),
  );
  expect(screen.queryByTestId('custom-policy')).toBeNull();
  await openAdvanced(user);
  await user.selectOptions(
    screen.getByRole('combobox', { name: policyTexts.enforcement }),
    texts.policies.warn,
  );
  expect(radio(policyTexts.steps.restricted)).toHaveProperty('checked', true);
  expect(screen.getByTestId('custom-policy').textContent).toBe(
    policyTexts.custom(texts.approvals.blocked, texts.policies.warn),
  );
});

it('keeps its preview while only the reason changes, and stores as of that preview', async () => {
  const { user } = await openNew();
  await user.click(radio(policyTexts.steps.blocked));
  await enabled();
  await giveReason(user, 'not allowed here');
  expect(sentTo(PREVIEW).map(({ body }) => body.reason)).toEqual([null]);
  expect(submit()).toHaveProperty('disabled', false);
  await user.click(submit());
  await screen.findByText(t.stored);
  expect(sentTo(CREATE)[0]?.body).toMatchObject({
    ...{ match: { name: 'curl' }, approval_status: 'blocked', execution_policy: 'block' },
    ...{ scope: { kind: 'tenant' }, reason: 'not allowed here', as_of_revision: 12 },
  });
});

it('warns in the preview of programs that would be ended', async () => {
  const { user } = await openNew();
  const processes = { count: 3, items: [], at_least: false, ended: 2, guarded: 0, unhashed: 0 };
  respondWith(PREVIEW, aPreview({ processes }));
  await user.click(radio(policyTexts.steps.blocked));
  await within(preview()).findByText(texts.preview.ends(2));
});

it('lists policies that stand already in the preview', async () => {
  const { user } = await openNew();
  const standing = { count: 1, items: [anOverride({ reason: 'agreed in May' })] };
  respondWith(PREVIEW, aPreview({ standing }));
  await user.click(radio(policyTexts.steps.approved));
  await within(preview()).findByText(texts.preview.standing(1));
  expect(within(preview()).getByText('agreed in May')).toBeTruthy();
});

it('asks for a person, and refuses a name that no device can report', async () => {
  respond('GET /devices', () => listReply([]));
  const { user } = await openNew();
  await user.click(radio(policyTexts.steps.blocked));
  await chooseScope(user, t.scopes.subscriber);
  const person = screen.getByRole('combobox', { name: t.person });
  await user.click(person);
  await user.tab();
  expect(await screen.findByText(t.needPerson)).toBeTruthy();
  await user.click(person);
  await user.paste('größe');
  await user.tab();
  expect(await screen.findByText(t.badPerson)).toBeTruthy();
  expect(submit()).toHaveProperty('disabled', true);
  await user.clear(person);
  await user.click(person);
  await user.paste('grace');
  await enabled();
  expect(sentTo(PREVIEW).at(-1)?.body.scope).toEqual({
    kind: 'subscriber',
    subscriber_id: 'grace',
  });
});

it('offers the devices that have the application for one device', async () => {
  respondWith('GET /discovered-apps/e1/policies', { policies: { count: 0, items: [] } });
  respond('GET /overrides', () => listReply([]));
  const device = { device_id: 'd1', hostname: 'laptop-7', subscriber_id: 'grace' };
  respond('GET /devices', () => listReply([]));
  respond('GET /discovered-apps/e1/devices', () => listReply([device]));
  respondWith(PREVIEW, aPreview());
  const { user } = await renderPart(<NewDecision match={{ entity_id: 'e1' }} />);
  await user.click(radio(policyTexts.steps.blocked));
  await chooseScope(user, t.scopes.device);
  await user.click(screen.getByRole('combobox', { name: t.device }));
  await user.click(await screen.findByRole('option', { name: 'laptop-7 (grace)' }));
  await enabled();
  expect(sentTo(PREVIEW).at(-1)?.body.scope).toEqual({ kind: 'device', device_id: 'd1' });
});

it('reports a chosen group that was deleted meanwhile', async () => {
  const group = { group_id: 'g1', name: 'Build farm', rule: null };
  respond('GET /device-groups', ({ query }) => listReply(query.query ? [] : [group]));
  const { user } = await openNew();
  await user.click(radio(policyTexts.steps.blocked));
  await chooseScope(user, t.scopes.group);
  await user.click(screen.getByRole('combobox', { name: t.group }));
  await user.click(await screen.findByRole('option', { name: 'Build farm' }));
  await enabled();
  respond('GET /device-groups', () => listReply([]));
  respond('GET /device-groups/g1', () => refusal(404, 'not_found', ''));
  respond(CREATE, () => refusal(400, 'invalid_request', 'there is no such group'));
  await giveReason(user, 'kept');
  await user.click(submit());
  await screen.findByText('there is no such group');
  expect(screen.getByRole('textbox', { name: t.reason })).toHaveProperty('value', 'kept');
});

it('refuses an end that has passed', async () => {
  const { user } = await openNew();
  await user.click(radio(policyTexts.steps.blocked));
  await openAdvanced(user);
  await user.type(screen.getByLabelText(t.expires), '2020-01-01T10:00');
  await user.tab();
  expect(await screen.findByText(t.pastExpiry)).toBeTruthy();
  expect(submit()).toHaveProperty('disabled', true);
});

it('stores once what is sent again after a lost answer', async () => {
  const { user } = await openNew();
  await user.click(radio(policyTexts.steps.blocked));
  await enabled();
  respond(CREATE, loseAnswer);
  await user.click(submit());
  await screen.findByText(texts.errors.unreachable);
  respond(CREATE, () => refusal(409, 'already_exists', 'stored'));
  const made = sentTo(CREATE)[0]?.body.override_id;
  respondWith(`GET /overrides/${made}`, { override: anOverride({ override_id: made }) });
  await user.click(submit());
  await screen.findByText(t.stored);
  expect(sentTo(CREATE).map(({ body }) => body.override_id)).toEqual([made, made]);
});

it('shows the policy of a colleague who was quicker and stores after another preview', async () => {
  const { user } = await openNew();
  await user.click(radio(policyTexts.steps.blocked));
  await enabled();
  await giveReason(user, 'mine');
  respond(CREATE, () => refusal(412, 'version_conflict', 'decided meanwhile'));
  const standing = { count: 1, items: [anOverride({ reason: 'of somebody else' })] };
  respondWith(PREVIEW, aPreview({ standing, as_of_revision: 13 }));
  await user.click(submit());
  await screen.findByText(t.meanwhileTitle);
  await waitFor(() => expect(screen.getAllByText('of somebody else').length).toBeGreaterThan(0));
  expect(screen.getByRole('textbox', { name: t.reason })).toHaveProperty('value', 'mine');
  await enabled();
  respond(CREATE, ({ body }) => ({ status: 201, body: { override: anOverride(body) } }));
  await user.click(submit());
  await screen.findByText(t.stored);
  expect(sentTo(CREATE).at(-1)?.body.as_of_revision).toBe(13);
});

it('changes the policy that the app has for the same scope, and nothing that the form left alone', async () => {
  const match = { entity_id: 'e1' };
  const existing = anOverride({ match, expires_at: '2040-01-01T10:00:00.000Z' });
  respondWith('GET /discovered-apps/e1/policies', { policies: { count: 0, items: [] } });
  respond('GET /overrides', () =>
    listReply([
      anOverride({ match, override_id: 'device', scope: { kind: 'device', device_id: 'd1' } }),
      anOverride({ match, override_id: 'product', product_policy_id: 'pp1' }),
      anOverride({ match, override_id: 'partial', rollout_percent: 20 }),
      existing,
    ]),
  );
  respondWith(PREVIEW, aPreview());
  respond(PATCH, ({ body }) => ({ status: 200, body: { override: { ...existing, ...body } } }));
  const { user } = await renderPart(<NewDecision match={match} />);
  await user.click(radio(policyTexts.steps.approved));
  await waitFor(() => expect(sentTo(PREVIEW).at(-1)?.body).toMatchObject({ replaces: 'o1' }));
  await enabled();
  await user.click(submit());
  await screen.findByText(t.changed);
  const [change] = sentTo(PATCH);
  expect(change?.headers['if-match']).toBe('"4"');
  expect(change?.body).toEqual({
    ...{ approval_status: 'approved', execution_policy: 'allow', as_of_revision: 12 },
  });
  expect(sentTo('GET /overrides')[0]?.query).toMatchObject({ entity_id: 'e1', state: 'in_force' });
  expect(sentTo(CREATE)).toEqual([]);
});

it('sends a typed reason with the change of an existing policy', async () => {
  const match = { entity_id: 'e1' };
  respondWith('GET /discovered-apps/e1/policies', { policies: { count: 0, items: [] } });
  respond('GET /overrides', () => listReply([anOverride({ match })]));
  respondWith(PREVIEW, aPreview());
  respondWith(PATCH, { override: anOverride({ match, version: '"5"' }) });
  const { user } = await renderPart(<NewDecision match={match} preset={{ approval: 'blocked' }} />);
  await enabled();
  await giveReason(user, 'reviewed');
  await user.click(submit());
  await screen.findByText(t.changed);
  expect(sentTo(PATCH)[0]?.body).toMatchObject({ reason: 'reviewed' });
});

it('begins a staged policy for nobody and asks for its rings', async () => {
  const { user } = await openNew();
  await user.click(radio(policyTexts.steps.blocked));
  await openAdvanced(user);
  await user.click(screen.getByRole('checkbox', { name: texts.rollout.staged }));
  await enabled();
  respondWith('GET /overrides/o1', { override: anOverride({ rollout_percent: 0 }) });
  respond(CREATE, ({ body }) => ({
    status: 201,
    body: { override: anOverride({ ...body, override_id: 'o1' }) },
  }));
  await user.click(submit());
  const dialog = await screen.findByRole('dialog');
  expect(sentTo(CREATE)[0]?.body.rollout_percent).toBe(0);
  expect(within(dialog).getByRole('button', { name: texts.rollout.start })).toBeTruthy();
  await user.keyboard('{Escape}');
  await screen.findByText(texts.rollout.waits);
});

it('shows what a colleague changed, keeps the input, and stores against the new version', async () => {
  const { user } = await openEdit(anOverride());
  const theirs = anOverride({ version: '"5"', reason: 'of somebody else' });
  respond(PATCH, () => refusal(412, 'version_conflict', 'changed'));
  respondWith('GET /overrides/o1', { override: theirs });
  respond('GET /overrides', () => listReply([theirs]));
  await enabled(t.submitEdit);
  await giveReason(user, 'mine');
  await user.click(submit(t.submitEdit));
  const notice = within(
    (await screen.findByText(t.conflictTitle)).closest('[role=alert]') as HTMLElement,
  );
  expect(notice.getByText(/of somebody else/)).toBeTruthy();
  expect(notice.getByText('eve@example.com')).toBeTruthy();
  expect(screen.getByRole('textbox', { name: t.reason })).toHaveProperty('value', 'mine');
  respond(PATCH, ({ body }) => ({
    status: 200,
    body: { override: anOverride({ ...body, version: '"6"' }) },
  }));
  await enabled(t.submitEdit);
  await user.click(submit(t.submitEdit));
  await screen.findByText(t.changed);
  expect(sentTo(PATCH).map(({ headers }) => headers['if-match'])).toEqual(['"4"', '"5"']);
});

it('reports no conflict with a change of one’s own whose answer was lost', async () => {
  const { user } = await openEdit(anOverride());
  respond(PATCH, loseAnswer);
  await enabled(t.submitEdit);
  await giveReason(user, 'mine');
  await user.click(submit(t.submitEdit));
  await screen.findByText(texts.errors.unreachable);
  const stored = anOverride({ version: '"5"', reason: 'mine', updated_by: SELF });
  respond(PATCH, () => refusal(412, 'version_conflict', 'changed'));
  respondWith('GET /overrides/o1', { override: stored });
  respond('GET /overrides', () => listReply([stored]));
  await user.click(submit(t.submitEdit));
  await screen.findByText(t.changed);
  expect(screen.queryByText(t.conflictTitle)).toBe(null);
});

it('reports a policy that was withdrawn while it was changed', async () => {
  const { user } = await openEdit(anOverride());
  respond(PATCH, () => refusal(404, 'not_found', ''));
  await enabled(t.submitEdit);
  await giveReason(user, 'mine');
  await user.click(submit(t.submitEdit));
  await screen.findByText(t.goneTitle);
});
