// The outcomes of an access request: granted after a preview, declined with a reason, and resolved by another reviewer.
import type { AccessRequest } from '@gatewarden/shared/wire/console/access-requests.ts';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { aPreview } from '../policies/testing-rows.ts';
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
import { DeclineDialog } from './DeclineDialog.tsx';
import { GrantDialog } from './GrantDialog.tsx';
import { Outcome } from './RequestCells.tsx';
import { requestTexts as t } from './texts.ts';

const GRANT = 'POST /access-requests/q1/grant';
const DECLINE = 'POST /access-requests/q1/decline';
const EXCEPTION = { policy: 'block', override_id: 'o1', match: { name: 'curl' } } as const;

const aRequest = (fields: Partial<AccessRequest> = {}) =>
  ({
    ...{ access_request_id: 'q1', device_id: 'd1', hostname: 'laptop-7', entity_id: null },
    ...{ process_name: 'curl', application_name: null, reason: 'to fetch files', state: 'open' },
    ...{ decided_by: null, decided_at: null, answer: null, ends_at: null, version: '"1"' },
    exception: EXCEPTION,
    ...fields,
  }) as AccessRequest;

const PREVIEWED = { status: 200, body: aPreview() };

async function openGrant(preview: typeof PREVIEWED | Promise<typeof PREVIEWED> = PREVIEWED) {
  respond('POST /overrides/preview', () => preview);
  const rendered = await renderPart(
    <GrantDialog request={aRequest()} exception={EXCEPTION} onClose={() => undefined} />,
    'Reviewer',
  );
  const dialog = within(await screen.findByRole('dialog'));
  const submit = dialog.getByRole('button', { name: t.grantSubmit });
  const enabled = () => waitFor(() => expect(submit).toHaveProperty('disabled', false));
  return { ...rendered, dialog, submit, enabled };
}

async function openDecline() {
  const rendered = await renderPart(
    <DeclineDialog request={aRequest()} onClose={() => undefined} />,
    'Reviewer',
  );
  const dialog = within(await screen.findByRole('dialog'));
  return {
    ...rendered,
    dialog,
    reason: dialog.getByRole('textbox', { name: t.declineReason }),
    submit: dialog.getByRole('button', { name: t.declineSubmit }),
  };
}

it('grants only after the preview of that very exception', async () => {
  const answer = Promise.withResolvers<typeof PREVIEWED>();
  const { user, submit, enabled } = await openGrant(answer.promise);
  await waitFor(() => expect(sentTo('POST /overrides/preview')).toHaveLength(1));
  expect(submit).toHaveProperty('disabled', true);
  answer.resolve(PREVIEWED);
  await enabled();
  expect(sentTo('POST /overrides/preview')[0]?.body).toMatchObject({
    match: { name: 'curl' },
    scope: { kind: 'device', device_id: 'd1' },
    execution_policy: 'allow',
  });
  respondWith(GRANT, { access_request: aRequest({ state: 'granted' }) });
  await user.click(submit);
  await screen.findByText(t.granted);
  expect(sentTo(GRANT)).toMatchObject([
    { body: { match: { name: 'curl' }, reason: null }, headers: { 'if-match': '"1"' } },
  ]);
});

it('refuses an end that is not in the future', async () => {
  const { user, dialog, submit } = await openGrant();
  await user.click(dialog.getByRole('radio', { name: t.spans.until }));
  expect(dialog.getByText(t.untilNeeded)).toBeTruthy();
  await user.type(dialog.getByLabelText(t.until), '2020-01-01T10:00');
  expect(dialog.getByText(t.untilNeeded)).toBeTruthy();
  expect(submit).toHaveProperty('disabled', true);
});

it('sends the same grant again after a lost answer', async () => {
  const { user, dialog, submit, enabled } = await openGrant();
  await enabled();
  respond(GRANT, loseAnswer);
  await user.click(submit);
  await dialog.findByText(texts.errors.unreachable);
  respondWith(GRANT, { access_request: aRequest({ state: 'granted' }) });
  await user.click(submit);
  await screen.findByText(t.granted);
  const [first, second] = sentTo(GRANT);
  expect(second?.body).toEqual(first?.body);
});

it('shows who answered meanwhile and keeps what was typed', async () => {
  const { user, dialog, reason, submit } = await openDecline();
  respond(DECLINE, () => refusal(412, 'version_conflict', 'answered'));
  respond('GET /access-requests', () =>
    listReply([aRequest({ state: 'granted', decided_by: 'eve@example.com', answer: 'fine' })]),
  );
  await user.type(reason, 'not here');
  await user.click(submit);
  await dialog.findByText(t.overtaken('eve@example.com', t.states.granted), { exact: false });
  expect(reason).toHaveProperty('value', 'not here');
});

it('declines nothing without a reason', async () => {
  const { user, dialog, reason, submit } = await openDecline();
  await user.click(submit);
  expect(dialog.getByText(t.declineNeeded)).toBeTruthy();
  expect(sentTo(DECLINE)).toEqual([]);
  respondWith(DECLINE, { access_request: aRequest({ state: 'declined' }) });
  await user.type(reason, ' not here ');
  await user.click(submit);
  await screen.findByText(t.declined);
  expect(sentTo(DECLINE)[0]?.body).toEqual({ reason: 'not here' });
});

it('writes that access ended once its end has passed', async () => {
  const row = (endsAt: number) =>
    aRequest({ state: 'granted', ends_at: new Date(endsAt).toISOString() });
  const past = Date.now() - 3 * 86_400_000;
  await renderPart(<Outcome row={row(past)} />);
  expect(screen.getByText(/^ended/).textContent).toMatch(/^ended 3 days ago$/);
  await renderPart(<Outcome row={row(Date.now() + 3 * 86_400_000)} />);
  expect(screen.getByText(/^ends/).textContent).toMatch(/^ends in \d days$/);
});
