// A confirmation: busy while the action runs, open with the error after a failure.
import { screen, waitFor, within } from '@testing-library/react';
import { useState } from 'react';
import { expect, it, vi } from 'vitest';
import { ApiError } from '../api/client.ts';
import { renderPart } from '../testing/render.tsx';
import { texts } from '../texts.ts';
import { ConfirmButton } from './ConfirmButton.tsx';

const QUESTION = {
  title: 'Delete it?',
  text: 'It ends.',
  action: 'Delete',
  done: 'It is deleted.',
};
const conflict = () => new ApiError(412, 'version_conflict', 'changed', 'r1');

/** Renders the button and its confirmation for a record that a reload may change. */
function Deletion({ remove }: { remove: (version: string) => Promise<unknown> }) {
  const [version, setVersion] = useState('first');
  return (
    <>
      <button type="button" onClick={() => setVersion('second')}>
        Refresh
      </button>
      <ConfirmButton {...QUESTION} name={version} run={() => remove(version)} />
    </>
  );
}

async function openQuestion(remove: (version: string) => Promise<unknown>) {
  const rendered = await renderPart(<Deletion remove={remove} />);
  await rendered.user.click(screen.getByRole('button', { name: QUESTION.action }));
  const dialog = within(await screen.findByRole('dialog'));
  return { ...rendered, dialog, confirm: dialog.getByRole('button', { name: QUESTION.action }) };
}

it('runs nothing when the question is canceled', async () => {
  const remove = vi.fn(async () => undefined);
  const { user, dialog } = await openQuestion(remove);
  await user.click(dialog.getByRole('button', { name: texts.ui.cancel }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBe(null));
  expect(remove).not.toHaveBeenCalled();
});

it('focuses the button that cancels', async () => {
  const { dialog } = await openQuestion(async () => undefined);
  await waitFor(() =>
    expect(document.activeElement).toBe(dialog.getByRole('button', { name: texts.ui.cancel })),
  );
});

it('shows a busy button until the answer comes, then reports success and closes', async () => {
  const answer = Promise.withResolvers<void>();
  const { user, confirm } = await openQuestion(() => answer.promise);
  await user.click(confirm);
  expect(confirm).toHaveProperty('disabled', true);
  answer.resolve();
  await screen.findByText(QUESTION.done);
  expect(screen.queryByRole('dialog')).toBe(null);
});

it('stays open with the refusal and its request id', async () => {
  const { user, dialog, confirm } = await openQuestion(async () => {
    throw new ApiError(409, 'in_use', 'A policy names it.', 'r-77');
  });
  await user.click(confirm);
  const alert = await dialog.findByRole('alert');
  expect(alert.textContent).toContain('A policy names it.');
  expect(alert.textContent).toContain('r-77');
  expect(confirm).toHaveProperty('disabled', false);
});

it('asks about the version that the person saw until a conflict is reported', async () => {
  const tried: string[] = [];
  const { user, dialog, confirm } = await openQuestion(async (version) => {
    tried.push(version);
    if (tried.length === 1) throw conflict();
  });
  await user.click(screen.getByRole('button', { name: 'Refresh' }));
  expect(dialog.getByText('first')).toBeTruthy();
  await user.click(confirm);
  await dialog.findByText(texts.ui.changedMeanwhile);
  expect(dialog.getByText('second')).toBeTruthy();
  await user.click(confirm);
  await screen.findByText(QUESTION.done);
  expect(tried).toEqual(['first', 'second']);
});

it('returns the focus to the button that opened the question', async () => {
  const { user } = await openQuestion(async () => undefined);
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBe(null));
  expect(document.activeElement).toBe(screen.getByRole('button', { name: QUESTION.action }));
});
