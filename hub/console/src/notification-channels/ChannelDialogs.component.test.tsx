// The form of a notification channel: refusals at their fields, the secret that is shown once, and changes of others.
import type { NotificationChannel } from '@gatewarden/shared/wire/console/notification-channels.ts';
import { screen, within } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import { editConflictTexts } from '../concurrent-edits/texts.ts';
import { renderPart } from '../testing/render.tsx';
import {
  listReply,
  loseAnswer,
  refusal,
  respond,
  respondWith,
  sentTo,
} from '../testing/responder.ts';
import { texts } from '../texts.ts';
import { EditChannel, NewChannel, RotateSecret } from './ChannelDialogs.tsx';

const t = texts.channels;
const CREATE = 'POST /alert-routes';
const PATCH = 'PATCH /alert-routes/c1';
const SECRET = 'whsec_4f2a';

const aChannel = (fields: Partial<NotificationChannel> = {}) =>
  ({
    ...{ route_id: 'c1', kind: 'webhook', name: 'Security', min_severity: 'high', to: null },
    ...{ url_hint: 'https://example.com/…', group_id: null, digest_after: null },
    ...{ enabled: true, access_requests: false, format: null, version: '"1"' },
    ...fields,
  }) as NotificationChannel;

beforeEach(() => {
  respond('GET /device-groups', () => listReply([]));
});

async function openNew() {
  const rendered = await renderPart(<NewChannel onClose={() => undefined} />);
  const dialog = within(await screen.findByRole('dialog'));
  const fill = async (label: string, text: string) => {
    const field = dialog.getByRole('textbox', { name: label });
    await rendered.user.clear(field);
    if (text !== '') await rendered.user.type(field, text);
    return field;
  };
  const submit = () => rendered.user.click(dialog.getByRole('button', { name: t.create }));
  const choose = (kind: keyof typeof t.kinds) =>
    rendered.user.click(dialog.getByRole('radio', { name: t.kinds[kind] }));
  return { ...rendered, dialog, fill, submit, choose };
}

it('rejects a channel without name and URL at both fields', async () => {
  const { dialog, submit } = await openNew();
  await submit();
  expect(dialog.getByText(t.needName)).toBeTruthy();
  expect(dialog.getByText(t.needUrl)).toBeTruthy();
  expect(sentTo(CREATE)).toEqual([]);
});

it('rejects a text that is no URL', async () => {
  const { dialog, fill, submit } = await openNew();
  await fill(t.name, 'Security');
  const url = await fill(t.url, 'example');
  await submit();
  expect(dialog.getByText(t.badUrl)).toBeTruthy();
  expect(url.getAttribute('aria-invalid')).toBe('true');
});

it.each([
  ['no address', '', t.needAddress],
  ['a text that is no address', 'ada@example.com, grace', t.badAddress],
  [
    'more than 20 addresses',
    Array.from({ length: 21 }, (_, n) => `p${n}@example.com`).join(','),
    t.tooManyAddresses,
  ],
])('rejects an e-mail channel with %s', async (_case, to, text) => {
  const { dialog, user, fill, submit, choose } = await openNew();
  await choose('email');
  await fill(t.name, 'Security');
  await user.click(dialog.getByRole('textbox', { name: t.to }));
  if (to !== '') await user.paste(to);
  await submit();
  expect(dialog.getByText(text)).toBeTruthy();
  expect(sentTo(CREATE)).toEqual([]);
});

it('rejects a digest limit that is no whole number', async () => {
  const { dialog, fill, submit } = await openNew();
  await fill(t.digest, '2.5');
  await submit();
  expect(dialog.getByText(t.badDigest)).toBeTruthy();
});

it('changes the default digest limit with the type until the user sets a limit', async () => {
  const { dialog, fill, choose } = await openNew();
  const digest = () => dialog.getByRole('textbox', { name: t.digest });
  await choose('chat');
  expect(digest()).toHaveProperty('value', '20');
  await fill(t.digest, '7');
  await choose('webhook');
  expect(digest()).toHaveProperty('value', '7');
});

it('requires an integration key for PagerDuty only', async () => {
  const { dialog, user, fill, submit, choose } = await openNew();
  await choose('chat');
  expect(dialog.queryByRole('textbox', { name: t.routingKey })).toBe(null);
  await user.selectOptions(dialog.getByRole('combobox', { name: t.format }), t.formats.pagerduty);
  await fill(t.name, 'On call');
  await fill(t.url, 'https://events.example.com');
  await fill(t.routingKey, 'short');
  await submit();
  expect(dialog.getByText(t.badRoutingKey)).toBeTruthy();
});

it('shows an error of the hub in the form and keeps the entered values', async () => {
  const { dialog, fill, submit } = await openNew();
  await fill(t.name, 'Security');
  const url = await fill(t.url, 'http://10.0.0.1/hook');
  respond(CREATE, () => refusal(400, 'invalid_request', 'The URL has to begin with https.'));
  await submit();
  await dialog.findByText('The URL has to begin with https.');
  expect(url).toHaveProperty('value', 'http://10.0.0.1/hook');
});

it('shows the signing secret of a new webhook once, until the person confirms', async () => {
  const { dialog, user, fill, submit } = await openNew();
  await fill(t.name, 'Security');
  await fill(t.url, 'https://example.com/hook');
  respond(CREATE, () => ({ status: 201, body: { route: aChannel(), secret: SECRET } }));
  await submit();
  await dialog.findByDisplayValue(SECRET);
  await user.keyboard('{Escape}');
  expect(dialog.getByDisplayValue(SECRET)).toBeTruthy();
  await user.click(dialog.getByRole('button', { name: texts.ui.secretKept }));
  expect(document.documentElement.innerHTML).not.toContain(SECRET);
});

it('replaces the unseen secret of a webhook whose first answer was lost', async () => {
  const { dialog, fill, submit } = await openNew();
  await fill(t.name, 'Security');
  await fill(t.url, 'https://example.com/hook');
  respond(CREATE, loseAnswer);
  await submit();
  await dialog.findByText(texts.errors.unreachable);
  const id = sentTo(CREATE)[0]?.body.route_id;
  respond(CREATE, () => refusal(409, 'already_exists', 'stored'));
  respondWith(`GET /alert-routes/${id}`, { route: aChannel({ route_id: id }) });
  respondWith(`POST /alert-routes/${id}/rotate-secret`, { route: aChannel(), secret: SECRET });
  await submit();
  await dialog.findByDisplayValue(SECRET);
  expect(sentTo(`POST /alert-routes/${id}/rotate-secret`)[0]?.body).toEqual({ overlap_hours: 0 });
});

it('sends a rotation whose answer was lost again under the same id', async () => {
  const ROTATE = 'POST /alert-routes/c1/rotate-secret';
  respond(ROTATE, loseAnswer);
  const { user } = await renderPart(
    <RotateSecret channel={aChannel()} onClose={() => undefined} />,
  );
  const dialog = within(await screen.findByRole('dialog'));
  const rotate = dialog.getByRole('button', { name: t.rotate });
  await user.click(rotate);
  await dialog.findByText(texts.errors.unreachable);
  respondWith(ROTATE, { route: aChannel(), secret: SECRET });
  await user.click(rotate);
  await dialog.findByDisplayValue(SECRET);
  const ids = sentTo(ROTATE).map(({ body }) => body.rotation_id);
  expect(ids).toEqual([ids[0], ids[0]]);
});

it('keeps the stored URL of a channel if the field stays empty', async () => {
  respondWith(PATCH, { route: aChannel() });
  const { user } = await renderPart(<EditChannel channel={aChannel()} onClose={() => undefined} />);
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.getByRole('textbox', { name: t.url })).toHaveProperty('value', '');
  await user.click(dialog.getByRole('button', { name: t.store }));
  await screen.findByText(t.stored);
  expect(sentTo(PATCH)[0]?.body).not.toHaveProperty('url');
});

it('keeps an entered name and adopts concurrent changes of other fields', async () => {
  const { user } = await renderPart(<EditChannel channel={aChannel()} onClose={() => undefined} />);
  const dialog = within(await screen.findByRole('dialog'));
  const name = dialog.getByRole('textbox', { name: t.name });
  await user.clear(name);
  await user.type(name, 'mine');
  respond(PATCH, () => refusal(412, 'version_conflict', 'changed'));
  const theirs = aChannel({ name: 'of theirs', digest_after: 7, version: '"2"' });
  respondWith('GET /alert-routes/c1', { route: theirs });
  await user.click(dialog.getByRole('button', { name: t.store }));
  await dialog.findByText(editConflictTexts.title);
  expect(dialog.getByText(editConflictTexts.nowSays('of theirs'), { exact: false })).toBeTruthy();
  expect(name).toHaveProperty('value', 'mine');
  expect(dialog.getByRole('textbox', { name: t.digest })).toHaveProperty('value', '7');
});
