// Adding devices: the command and the files contain a token that is created on demand, and a new device appears.
import { act, screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { topicKey } from '../api/keys.ts';
import { renderPart } from '../testing/render.tsx';
import { listReply, refusal, respond, sentTo, TENANT_ID } from '../testing/responder.ts';
import { AddDevicesPage } from './AddDevicesPage.tsx';
import { addTexts as t } from './texts.ts';

const AT = '2026-03-01T10:00:00.000Z';
const SECRET = 'gwa_4f2a';
const ISSUED = {
  token: {
    ...{ token_id: 't1', name: 'Linux', status: 'active', enrol_only: true },
    ...{ created_at: AT, expires_at: '2026-03-08T10:00:00.000Z', revoked_at: null },
  },
  secret: SECRET,
};
const aRow = (fields: object) => ({
  ...{ device_id: 'd1', hostname: 'laptop-7', subscriber_id: 'grace@example.com' },
  ...{ platform: 'linux', os_version: '13', arch: 'x64', agent_version: '0.1.0' },
  ...{ first_seen_at: '2026-03-01T10:05:00.000Z', last_seen_at: AT },
  ...fields,
});

async function createCommand() {
  respond('GET /agent-tokens', () => listReply([]));
  respond('GET /devices', () => listReply([aRow({ first_seen_at: '2026-02-01T10:00:00.000Z' })]));
  respond('POST /agent-tokens', () => ({ status: 201, body: ISSUED }));
  const rendered = await renderPart(<AddDevicesPage />);
  await rendered.user.click(screen.getByRole('button', { name: t.create }));
  await screen.findByText(t.waiting);
  return rendered;
}

it('creates a token that expires, and shows the command with token and owner in it', async () => {
  const { user } = await createCommand();
  expect(sentTo('POST /agent-tokens')[0]?.body).toMatchObject({ expires_in_days: 7 });
  await user.type(screen.getByRole('textbox', { name: t.owner }), 'bob@example.com');
  const { textContent } = screen.getByTestId('installer');
  expect(textContent).toContain(SECRET);
  expect(textContent).toContain('GATEWARDEN_SUBSCRIBER_ID=bob@example.com');
  await user.click(screen.getByRole('tab', { name: t.systems.windows }));
  expect(screen.getByTestId('installer').textContent).toContain(`AUTH_TOKEN="${SECRET}"`);
  const files = within(screen.getByRole('region', { name: t.mdm }));
  files.getByRole('button', { name: t.downloadOf('Microsoft Intune') });
});

it('warns that other devices cannot reach an address of this device', async () => {
  await createCommand();
  expect(window.location.hostname).toBe('localhost');
  screen.getByText(t.loopback(window.location.origin));
  screen.getByText(t.ownerMissing('OWNER@EXAMPLE.COM'));
});

it('shows a device as soon as it connects, and no device from before', async () => {
  const { queries } = await createCommand();
  respond('GET /devices', () => listReply([aRow({})]));
  await act(() => queries.invalidateQueries({ queryKey: topicKey(TENANT_ID, 'devices') }));
  await screen.findByRole('link', { name: 'laptop-7' });
  expect(screen.queryByText(t.waiting)).toBe(null);
});

it('explains a refused token, and shows no command', async () => {
  respond('GET /agent-tokens', () => listReply([]));
  respond('POST /agent-tokens', () => refusal(403, 'forbidden', 'Not allowed.'));
  const { user } = await renderPart(<AddDevicesPage />);
  await user.click(screen.getByRole('button', { name: t.create }));
  await screen.findByText(/Not allowed/);
  expect(screen.queryByTestId('installer')).toBe(null);
});
