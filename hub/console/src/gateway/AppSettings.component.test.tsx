// The form of an app's configuration, built from its schema: errors at fields, resets, and concurrent changes.
import { screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { useResource } from '../api/tenant.ts';
import { editConflictTexts } from '../concurrent-edits/texts.ts';
import { renderPart } from '../testing/render.tsx';
import { refusal, respond, respondWith, sentTo } from '../testing/responder.ts';
import { texts } from '../texts.ts';
import { AppSettings } from './AppSettings.tsx';
import { appPath } from './app-path.ts';
import { type SectionName, settingLabel } from './schema-fields.ts';
import { gatewayTexts } from './texts.ts';
import type { GatewayApp } from './wire.ts';

const t = gatewayTexts.settings;
const PATCH = 'PATCH /gateway/app';

type Settings = Partial<Record<SectionName, unknown>>;

const anApp = (settings: Settings, version = 'v1') =>
  ({ app_id: 'a1', name: 'shop', version, mode: 'gateway', ...settings }) as unknown as GatewayApp;

function SettingsOfApp() {
  const { data } = useResource<{ app: GatewayApp }>('gateway', appPath('shop'));
  return data === undefined ? null : <AppSettings app={data.app} />;
}

/** Shows the settings of an app that the hub has stored; PATCH stores its body as the next version. */
async function openSettings(settings: Settings, role?: 'Viewer') {
  let stored = anApp(settings);
  respond('GET /gateway/app', () => ({ status: 200, body: { app: stored } }));
  respond(PATCH, ({ body }) => {
    stored = anApp({ ...settings, ...body }, 'v2');
    return { status: 200, body: { app: stored } };
  });
  const rendered = await renderPart(<SettingsOfApp />, role);
  await screen.findByText(t.lead);
  return {
    ...rendered,
    changeElsewhere: (changed: Settings) => {
      stored = anApp(changed, 'v9');
    },
  };
}

const section = (name: SectionName) =>
  within(
    screen.getByText(settingLabel(name), { selector: 'summary' }).closest('details') as HTMLElement,
  );
const limit = (name: string) =>
  section('limits').getByRole('textbox', { name: settingLabel(name) });
const rateLimit = () =>
  within(section('limits').getByRole('group', { name: settingLabel('rate_limit') }));
const storeButton = () => screen.getByRole('button', { name: t.store });

async function type(user: UserEvent, field: HTMLElement, text: string) {
  await user.clear(field);
  if (text !== '') await user.type(field, text);
}

it('reports a number outside its bounds at its field and keeps the typed value', async () => {
  const { user } = await openSettings({ alerting: { app_level: { window_minutes: 30 } } });
  const [minutes] = section('alerting').getAllByRole('textbox', {
    name: settingLabel('window_minutes'),
  });
  await type(user, minutes as HTMLElement, '2');
  expect(minutes).toHaveProperty('value', '2');
  expect(minutes?.getAttribute('aria-invalid')).toBe('true');
  expect(screen.getByRole('alert').textContent).toBe(
    `${settingLabel('window_minutes')}: ${t.bounds(5, 1440)}`,
  );
  expect(storeButton()).toHaveProperty('disabled', true);
  await type(user, minutes as HTMLElement, '20');
  await user.click(storeButton());
  await screen.findByText(t.stored);
  expect(sentTo(PATCH)[0]?.body).toEqual({ alerting: { app_level: { window_minutes: 20 } } });
});

it('shows an error of the hub at its field until the field changes', async () => {
  const { user } = await openSettings({ limits: { timeout: 5 } });
  respond(PATCH, () => refusal(400, 'invalid_request', '/limits/rate_limit/duration is required'));
  await type(user, rateLimit().getByRole('textbox', { name: settingLabel('value') }), '10');
  await user.click(storeButton());
  const duration = rateLimit().getByRole('combobox', { name: settingLabel('duration') });
  await waitFor(() => expect(duration.getAttribute('aria-invalid')).toBe('true'));
  expect(rateLimit().getByText('is required')).toBeTruthy();
  await user.selectOptions(duration, 'minute');
  expect(rateLimit().queryByText('is required')).toBe(null);
  expect(rateLimit().getByRole('textbox', { name: settingLabel('value') })).toHaveProperty(
    'value',
    '10',
  );
});

it('opens the section of the field with an error of the hub', async () => {
  const { user } = await openSettings({ limits: { timeout: 5 } });
  respond(PATCH, () =>
    refusal(400, 'invalid_request', '/routing/routing_groups/0/models/0/weight is required'),
  );
  await type(user, limit('timeout'), '6');
  await user.click(storeButton());
  await section('routing').findByText('0 → models → 0 → weight: is required');
  const details = screen
    .getByText(settingLabel('routing'), { selector: 'summary' })
    .closest('details');
  expect(details).toHaveProperty('open', true);
});

it('resets a complete limit with its typed values', async () => {
  const { user } = await openSettings({
    limits: { timeout: 5, rate_limit: { value: 10, duration: 'minute' } },
  });
  await type(user, rateLimit().getByRole('textbox', { name: settingLabel('value') }), '-1');
  await user.click(rateLimit().getByRole('button', { name: t.reset(settingLabel('rate_limit')) }));
  expect(rateLimit().getByRole('textbox', { name: settingLabel('value') })).toHaveProperty(
    'value',
    '',
  );
  expect(rateLimit().getByRole('combobox', { name: settingLabel('duration') })).toHaveProperty(
    'value',
    '',
  );
  await user.click(storeButton());
  await screen.findByText(t.stored);
  expect(sentTo(PATCH)[0]?.body).toEqual({ limits: { rate_limit: null } });
});

it('stores an emptied text', async () => {
  const { user } = await openSettings({ detection: { agent_purpose: 'to help' } });
  const purpose = section('detection').getByRole('textbox', {
    name: settingLabel('agent_purpose'),
  });
  await type(user, purpose, '');
  await user.click(storeButton());
  await screen.findByText(t.stored);
  expect(sentTo(PATCH)[0]?.body).toEqual({ detection: { agent_purpose: '' } });
});

it('refuses to empty a number that cannot be reset', async () => {
  const { user } = await openSettings({ limits: { rate_limit_per_minute: 3 } });
  await type(user, limit('rate_limit_per_minute'), '');
  expect(screen.getByRole('alert').textContent).toBe(
    `${settingLabel('rate_limit_per_minute')}: ${t.badNumber}`,
  );
  expect(storeButton()).toHaveProperty('disabled', true);
});

it('hints that the members of a merged map stay', async () => {
  await openSettings({ detection: { enabled_categories: { pii: true } } });
  const hints = section('detection').getAllByText(t.membersStay);
  expect(hints).toHaveLength(1);
  const map = section('detection').getByRole('textbox', {
    name: new RegExp(`^${settingLabel('enabled_categories')}`),
  });
  expect(map.getAttribute('aria-describedby')?.split(' ')).toContain(hints[0]?.id);
});

it('reports JSON that cannot be read and sends nothing', async () => {
  const { user } = await openSettings({ detection: { enabled_categories: { pii: true } } });
  const map = section('detection').getByRole('textbox', {
    name: new RegExp(`^${settingLabel('enabled_categories')}`),
  });
  await user.clear(map);
  await user.click(map);
  await user.paste('{"pii":');
  expect(screen.getByRole('alert').textContent).toBe(
    `${settingLabel('enabled_categories')}: ${t.badJson}`,
  );
  expect(storeButton()).toHaveProperty('disabled', true);
});

it('sends the changed fields with the version that the user saw', async () => {
  const { user } = await openSettings({ limits: { timeout: 5, rate_limit_per_minute: 3 } });
  await type(user, limit('timeout'), '7');
  expect(screen.getByText(t.changes(1))).toBeTruthy();
  await user.click(storeButton());
  await screen.findByText(t.stored);
  expect(sentTo(PATCH)).toMatchObject([
    { body: { limits: { timeout: 7 } }, headers: { 'if-match': 'v1' } },
  ]);
  await waitFor(() => expect(screen.queryByRole('button', { name: t.store })).toBe(null));
});

it('moves the focus to the changed section after storing', async () => {
  const { user } = await openSettings({ limits: { timeout: 5 } });
  await type(user, limit('timeout'), '7');
  await user.click(storeButton());
  await screen.findByText(t.stored);
  expect(document.activeElement).toBe(
    screen.getByText(settingLabel('limits'), { selector: 'summary' }),
  );
});

it('restores the stored values when changes are discarded', async () => {
  const { user } = await openSettings({ limits: { timeout: 5 } });
  await type(user, limit('timeout'), '7');
  await user.click(screen.getByRole('button', { name: t.discard }));
  expect(limit('timeout')).toHaveProperty('value', '5');
  expect(screen.queryByRole('button', { name: t.store })).toBe(null);
});

it('keeps the typed value after a conflict and shows the stored value', async () => {
  const { user, changeElsewhere } = await openSettings({ limits: { timeout: 5 } });
  await type(user, limit('timeout'), '77');
  changeElsewhere({ limits: { timeout: 55, rate_limit_per_minute: 9 } });
  respond(PATCH, () => refusal(412, 'version_conflict', 'changed'));
  await user.click(storeButton());
  const notice = within(
    (await screen.findByText(editConflictTexts.title)).closest('[role=alert]') as HTMLElement,
  );
  expect(notice.getByRole('listitem').textContent).toBe(
    `${settingLabel('limits')} → ${settingLabel('timeout')}: ${editConflictTexts.nowSays('55')}`,
  );
  expect(limit('timeout')).toHaveProperty('value', '77');
  expect(limit('rate_limit_per_minute')).toHaveProperty('value', '9');
});

it('overwrites a concurrent change on the second attempt, with its version', async () => {
  const { user, changeElsewhere } = await openSettings({ limits: { timeout: 5 } });
  await type(user, limit('timeout'), '77');
  changeElsewhere({ limits: { timeout: 55 } });
  respond(PATCH, () => refusal(412, 'version_conflict', 'changed'));
  await user.click(storeButton());
  await screen.findByText(editConflictTexts.title);
  respondWith(PATCH, { app: anApp({ limits: { timeout: 77 } }, 'v10') });
  await user.click(storeButton());
  await screen.findByText(t.stored);
  expect(sentTo(PATCH)[1]).toMatchObject({
    body: { limits: { timeout: 77 } },
    headers: { 'if-match': 'v9' },
  });
});

it('keeps typed values when the hub does not store them', async () => {
  const { user } = await openSettings({ limits: { timeout: 5 } });
  respond(PATCH, () => refusal(500, 'internal', 'broken'));
  await type(user, limit('timeout'), '7');
  await user.click(storeButton());
  await screen.findByText(texts.errors.notSaved);
  expect(limit('timeout')).toHaveProperty('value', '7');
});

it('disables every field for a viewer', async () => {
  await openSettings({ limits: { timeout: 5 } }, 'Viewer');
  for (const field of section('limits').getAllByRole('textbox')) {
    expect(field).toHaveProperty('disabled', true);
  }
  expect(screen.queryByRole('button', { name: t.store })).toBe(null);
});
