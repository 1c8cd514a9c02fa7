// The staged rollout of a policy: rings that have to grow, and the acts that each state offers.
import type { Rollout } from '@gatewarden/shared/wire/console/rollouts.ts';
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderPart } from '../testing/render.tsx';
import { respond, respondWith, sentTo } from '../testing/responder.ts';
import { texts } from '../texts.ts';
import { RolloutDialog } from './RolloutDialog.tsx';
import { anOverride } from './testing-rows.ts';

const t = texts.rollout;

const aRollout = (state: Rollout['state'], fields: Partial<Rollout> = {}) =>
  ({
    state,
    rings: [
      { percent: 5, minutes: 60 },
      { percent: 100, minutes: 60 },
    ],
    ring: 0,
    next_step_at: null,
    stopped_reason: null,
    updated_by: 'eve@example.com',
    updated_at: '2026-03-01T10:00:00.000Z',
    ...fields,
  }) as Rollout;

async function openRollout(rollout: Rollout | null) {
  const override = anOverride({ rollout, rollout_percent: 5 });
  respondWith('GET /overrides/o1', { override });
  const rendered = await renderPart(
    <RolloutDialog override={override} onClose={() => undefined} />,
  );
  return { ...rendered, dialog: within(await screen.findByRole('dialog')) };
}

const acts = (dialog: ReturnType<typeof within>) =>
  (['pause', 'resume', 'revert'] as const).filter(
    (act) => dialog.queryByRole('button', { name: t[act] }) !== null,
  );

it('cannot start while a ring is not greater than the one before', async () => {
  const { user, dialog } = await openRollout(null);
  const second = dialog.getByRole('textbox', { name: t.percentOf(2) });
  await user.clear(second);
  await user.type(second, '5');
  expect(dialog.getByRole('alert').textContent).toBe(t.growing);
  expect(dialog.getByRole('button', { name: t.start })).toHaveProperty('disabled', true);
});

it('adds and removes rings, and keeps the last one', async () => {
  const { user, dialog } = await openRollout(null);
  await user.click(dialog.getByRole('button', { name: t.addRing }));
  expect(dialog.getAllByRole('group')).toHaveLength(4);
  expect(dialog.getByRole('alert').textContent).toBe(t.growing);
  for (const ring of [4, 3, 2]) {
    await user.click(dialog.getByRole('button', { name: t.removeRing(ring) }));
  }
  expect(dialog.getByRole('button', { name: t.removeRing(1) })).toHaveProperty('disabled', true);
});

it('starts a rollout with its rings and without a limit that was emptied', async () => {
  const { user, dialog } = await openRollout(null);
  respond('POST /overrides/o1/rollout', () => ({ status: 200, body: { override: anOverride() } }));
  await user.clear(dialog.getByRole('textbox', { name: new RegExp(t.maxBlocks) }));
  await user.click(dialog.getByRole('button', { name: t.start }));
  await screen.findByText(t.started);
  expect(sentTo('POST /overrides/o1/rollout')[0]?.body).toEqual({
    rings: [
      { percent: 5, minutes: 60 },
      { percent: 25, minutes: 240 },
      { percent: 100, minutes: 60 },
    ],
    limits: { max_lost_devices_percent: 10 },
  });
});

it.each([
  ['running', ['pause', 'revert']],
  ['paused', ['resume', 'revert']],
  ['stopped', ['resume', 'revert']],
  ['done', ['revert']],
  ['reverted', []],
] as const)('offers the acts of a rollout that is %s', async (state, expected) => {
  const { dialog } = await openRollout(aRollout(state));
  expect(dialog.getByText(t.states[state])).toBeTruthy();
  expect(acts(dialog)).toEqual(expected);
});

it('shows why a rollout stopped and marks its ring', async () => {
  const { dialog } = await openRollout(
    aRollout('stopped', { ring: 1, stopped_reason: '60 blocks in an hour' }),
  );
  expect(dialog.getByText('60 blocks in an hour')).toBeTruthy();
  const rings = dialog.getAllByRole('listitem');
  expect(rings.map((ring) => ring.getAttribute('aria-current'))).toEqual([null, 'step']);
});

it('shows a pause at once', async () => {
  const { user, dialog } = await openRollout(aRollout('running'));
  respond('POST /overrides/o1/rollout/pause', () => {
    const override = anOverride({ rollout: aRollout('paused') });
    respondWith('GET /overrides/o1', { override });
    return { status: 200, body: { override } };
  });
  await user.click(dialog.getByRole('button', { name: t.pause }));
  await dialog.findByText(t.states.paused);
  expect(acts(dialog)).toEqual(['resume', 'revert']);
});
