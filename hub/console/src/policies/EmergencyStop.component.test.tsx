// The emergency stop: everybody sees it while it is in force, administrators change it after a question.
import type { Role } from '@gatewarden/shared/wire/vocabulary.ts';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderPart } from '../testing/render.tsx';
import { refusal, respond, respondWith, sentTo } from '../testing/responder.ts';
import { EmergencyStop } from './EmergencyStop.tsx';
import { stopTexts as t } from './stop-texts.ts';

const SET = 'POST /emergency-stop';

function openStop(ceiling: 'enforce' | 'monitor' | 'off', role?: Role) {
  respondWith('GET /emergency-stop', { enforcement_ceiling: ceiling });
  return renderPart(<EmergencyStop />, role);
}

it('sets the emergency stop after an administrator confirms', async () => {
  const { user } = await openStop('enforce');
  await user.click(await screen.findByRole('button', { name: t.acts.off }));
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.getByText(t.consequences.off)).toBeTruthy();
  expect(sentTo(SET)).toEqual([]);
  respond(SET, () => {
    respondWith('GET /emergency-stop', { enforcement_ceiling: 'off' });
    return { status: 200, body: { enforcement_ceiling: 'off' } };
  });
  await user.click(dialog.getByRole('button', { name: t.acts.off }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBe(null));
  expect(sentTo(SET)[0]?.body).toEqual({ enforcement_ceiling: 'off' });
  expect(screen.getByRole('button', { name: t.acts.enforce })).toBeTruthy();
});

it('shows a viewer the emergency stop in force, without a way to change it', async () => {
  await openStop('monitor', 'Viewer');
  expect((await screen.findByRole('status')).textContent).toBe(t.states.monitor);
  expect(screen.queryByRole('button')).toBe(null);
});

it('shows nothing to a viewer while everything is enforced', async () => {
  await openStop('enforce', 'Viewer');
  await waitFor(() => expect(sentTo('GET /emergency-stop')).toHaveLength(1));
  expect(screen.queryByRole('region', { name: t.title })).toBe(null);
});

it('reports that its state could not be read', async () => {
  respond('GET /emergency-stop', () => refusal(500, 'internal', 'The database is away.'));
  await renderPart(<EmergencyStop />);
  await screen.findByText('The database is away.');
});
