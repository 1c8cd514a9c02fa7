// Undo after the removal of a policy: it works once, reports its result, and is offered again after a temporary error.
import type { ListedOverride } from '@gatewarden/shared/wire/console/overrides.ts';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { reviewTexts } from '../applications/review-texts.ts';
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
import { anOverride, aPreview } from './testing-rows.ts';
import { WithdrawDecision } from './WithdrawDecision.tsx';

const WITHDRAW = 'DELETE /overrides/o1';
const AGAIN = 'POST /overrides';
const undoButton = () => screen.findByRole('button', { name: reviewTexts.undo });
const withdrawn = { override_id: 'o1', revision: 5, deleted: true };

async function openWithdrawal(override: ListedOverride = anOverride()) {
  respondWith(WITHDRAW, withdrawn);
  respond(AGAIN, ({ body }) => ({ status: 201, body: { override: anOverride(body) } }));
  const rendered = await renderPart(
    <WithdrawDecision override={override} onClose={() => undefined} />,
    'Reviewer',
  );
  const dialog = within(await screen.findByRole('dialog'));
  const confirm = () =>
    rendered.user.click(dialog.getByRole('button', { name: texts.decisions.withdraw }));
  return { ...rendered, dialog, confirm };
}

it('decides again as it was, as of the withdrawal', async () => {
  const { user, confirm } = await openWithdrawal();
  await confirm();
  await user.click(await undoButton());
  await screen.findByText(reviewTexts.undone(1));
  expect(sentTo(AGAIN)).toHaveLength(1);
  expect(sentTo(AGAIN)[0]?.body).toMatchObject({ reason: 'as it was', as_of_revision: 5 });
});

it('takes a withdrawal back once when its button is clicked twice', async () => {
  const { confirm } = await openWithdrawal();
  await confirm();
  const button = await undoButton();
  act(() => {
    fireEvent.click(button);
    fireEvent.click(button);
  });
  await screen.findByText(reviewTexts.undone(1));
  expect(sentTo(AGAIN)).toHaveLength(1);
});

it('reports success where the answer is lost and the policy is there', async () => {
  const { user, confirm } = await openWithdrawal();
  await confirm();
  let tries = 0;
  respond(AGAIN, () => {
    tries += 1;
    return tries === 1 ? loseAnswer() : refusal(409, 'already_exists', 'stored');
  });
  await user.click(await undoButton());
  await screen.findByText(reviewTexts.undone(1));
  const ids = sentTo(AGAIN).map(({ body }) => body.override_id);
  expect(ids).toEqual([ids[0], ids[0]]);
});

it('offers another try where the hub did not answer', async () => {
  const { user, confirm } = await openWithdrawal();
  await confirm();
  respond(AGAIN, loseAnswer);
  await user.click(await undoButton());
  await screen.findByText(reviewTexts.notUndone(1, 1, texts.errors.unreachable));
  respond(AGAIN, ({ body }) => ({ status: 201, body: { override: anOverride(body) } }));
  await user.click(screen.getByRole('button', { name: texts.ui.retry }));
  await screen.findByText(reviewTexts.undone(1));
});

it('does not decide over what a colleague decided about the same since', async () => {
  const { user, confirm } = await openWithdrawal();
  await confirm();
  respond(AGAIN, () => refusal(412, 'version_conflict', 'decided meanwhile'));
  respondWith(
    'POST /overrides/preview',
    aPreview({ standing: { count: 1, items: [anOverride({ override_id: 'o2' })] } }),
  );
  await user.click(await undoButton());
  await screen.findByText(reviewTexts.notUndone(1, 1, reviewTexts.undoOvertaken));
  expect(screen.queryByRole('button', { name: texts.ui.retry })).toBe(null);
  expect(sentTo(AGAIN)).toHaveLength(1);
});

it('decides again beside another policy of the same person', async () => {
  const { user, confirm } = await openWithdrawal();
  await confirm();
  respond(AGAIN, ({ body }) =>
    body.as_of_revision === 9
      ? { status: 201, body: { override: anOverride(body) } }
      : refusal(412, 'version_conflict', 'decided meanwhile'),
  );
  const own = anOverride({ override_id: 'o2', updated_by: SELF });
  respondWith(
    'POST /overrides/preview',
    aPreview({ as_of_revision: 9, standing: { count: 1, items: [own] } }),
  );
  await user.click(await undoButton());
  await screen.findByText(reviewTexts.undone(1));
});

it('offers undo for a withdrawal whose first answer was lost', async () => {
  const { user, confirm } = await openWithdrawal();
  respond(WITHDRAW, loseAnswer);
  await confirm();
  await screen.findByText(texts.errors.unreachable);
  respond(WITHDRAW, () => refusal(404, 'not_found', ''));
  respond('GET /overrides', () =>
    listReply([anOverride({ state: 'withdrawn', updated_by: SELF, revision: 6 })]),
  );
  await confirm();
  await user.click(await undoButton());
  await screen.findByText(reviewTexts.undone(1));
  expect(sentTo(AGAIN)[0]?.body.as_of_revision).toBe(6);
});

it('offers no undo for a policy that reaches a percentage of devices', async () => {
  const { confirm } = await openWithdrawal(anOverride({ rollout_percent: 25 }));
  await confirm();
  await screen.findByText(texts.decisions.withdrawn);
  expect(screen.queryByRole('button', { name: reviewTexts.undo })).toBe(null);
});

it('withdraws a policy that a colleague changed only after showing the change', async () => {
  const { dialog, confirm } = await openWithdrawal();
  const theirs = anOverride({ version: '"5"', execution_policy: 'warn' });
  respond(WITHDRAW, () => refusal(412, 'version_conflict', 'changed'));
  respond('GET /overrides', () => listReply([theirs]));
  await confirm();
  await dialog.findByText(texts.decisions.withdrawConflict);
  expect(dialog.getByText('Restricted')).toBeTruthy();
  respondWith(WITHDRAW, withdrawn);
  await confirm();
  await screen.findByText(texts.decisions.withdrawn, { exact: false });
  await waitFor(() =>
    expect(sentTo(WITHDRAW).map(({ headers }) => headers['if-match'])).toEqual(['"4"', '"5"']),
  );
});
