// Stopped apps on the user's own devices, with access requests from a policy or an event.
import type { Role } from '@gatewarden/shared/wire/vocabulary.ts';
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { requestTexts } from '../requests/texts.ts';
import { renderPart, SELF } from '../testing/render.tsx';
import { listReply, respond, sentTo } from '../testing/responder.ts';
import { ownDeviceTexts as t } from './device-texts.ts';
import { MyStoppedPage } from './MyStoppedPage.tsx';
import { OwnDecisions, OwnEntities, OwnStopped } from './OwnDeviceLists.tsx';

const AT = '2026-03-01T10:00:00.000Z';
const MEMBER: Role = 'Member';

const aPolicy = (fields: object) => ({
  ...{ override_id: 'o1', revision: 1, match: { entity_id: 'e1' }, application_name: 'uTorrent' },
  ...{ approval_status: 'blocked', execution_policy: 'block', reason: 'Not licensed' },
  ...{ decided_by: 'admin@example.com', decided_at: AT, expires_at: null, product: null },
  ...{ drift_hold: false, default_kind: null, scope_kind: 'tenant', stopped_entity_id: 'e1' },
  ...fields,
});

it('offers an access request for a policy that stops an app of the device, and for no other policy', async () => {
  respond('GET /own/devices/d1/decisions', () =>
    listReply([
      aPolicy({}),
      aPolicy({ override_id: 'o2', stopped_entity_id: null, application_name: 'curl' }),
    ]),
  );
  respond('POST /own/access-requests', () => ({ status: 201, body: {} }));
  const { user } = await renderPart(<OwnDecisions deviceId="d1" />, MEMBER);
  await user.click(await screen.findByRole('button', { name: requestTexts.askNamed('uTorrent') }));
  expect(screen.queryByRole('button', { name: requestTexts.askNamed('curl') })).toBe(null);
  const dialog = within(await screen.findByRole('dialog'));
  await user.type(dialog.getByRole('textbox'), 'For the release');
  await user.click(dialog.getByRole('button', { name: requestTexts.askSubmit }));
  await screen.findByText(requestTexts.askDone);
  expect(sentTo('POST /own/access-requests')[0]?.body).toEqual({
    ...{ device_id: 'd1', entity_id: 'e1', reason: 'For the release' },
  });
});

it('lists the stopped apps of each of the user’s devices', async () => {
  respond('GET /own/devices', () =>
    listReply([
      { device_id: 'd1', hostname: 'laptop-7' },
      { device_id: 'd2', hostname: 'desk-1' },
    ]),
  );
  for (const id of ['d1', 'd2']) respond(`GET /own/devices/${id}/activity`, () => listReply([]));
  await renderPart(<MyStoppedPage />, MEMBER);
  await screen.findByRole('region', { name: 'laptop-7' });
  screen.getByRole('region', { name: 'desk-1' });
  expect(await screen.findAllByText(t.stoppedEmpty)).toHaveLength(2);
});

it('explains enrollment to a user without a device', async () => {
  respond('GET /own/devices', () => listReply([]));
  await renderPart(<MyStoppedPage />, MEMBER);
  await screen.findByText(t.emptyText(SELF));
});

it('offers an access request for a blocked app, and for no approved app or app without a policy', async () => {
  const anApp = (name: string, policy: object | null) => ({
    ...{ entity_id: name, kind: 'application', source: 'dpkg', name, policy },
    ...{ version: '1.0', publisher: null },
  });
  respond('GET /own/devices/d1/entities', () =>
    listReply([
      anApp('uTorrent', { approval_status: 'blocked', execution_policy: 'block' }),
      anApp('Zoom', { approval_status: 'approved', execution_policy: 'allow' }),
      anApp('curl', null),
    ]),
  );
  await renderPart(
    <OwnEntities deviceId="d1" query={undefined} onQuery={() => undefined} />,
    MEMBER,
  );
  await screen.findByRole('button', { name: requestTexts.askNamed('uTorrent') });
  expect(screen.getAllByRole('button', { name: /^Request access/ })).toHaveLength(1);
  screen.getByText(t.noDecisionAbout);
});

it('offers no access request for a stopped start of an app that may run by now', async () => {
  const aStart = (name: string, is_still_stopped: boolean) => ({
    ...{ activity_id: name, device_id: 'd1', application_name: name, decision: 'block' },
    ...{ process: { name }, outcome: 'terminated', decided_at: AT, is_still_stopped },
  });
  respond('GET /own/devices/d1/activity', () =>
    listReply([aStart('uTorrent', true), aStart('Zoom', false)]),
  );
  await renderPart(<OwnStopped deviceId="d1" />, MEMBER);
  await screen.findByRole('button', { name: requestTexts.askNamed('uTorrent') });
  expect(screen.getAllByTestId('own-stopped-row')).toHaveLength(2);
  expect(screen.getAllByRole('button', { name: /^Request access/ })).toHaveLength(1);
});
