// The page of log export: the request of a collector, and the scope of each key.
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderPart } from '../testing/render.tsx';
import { listReply, respond, respondWith } from '../testing/responder.ts';
import { ExportKeysPage } from './ExportKeysPage.tsx';
import { exportCommand, exportUrl } from './export-request.ts';
import { logTexts } from './texts.ts';

const t = logTexts.keys;
const KEY = {
  ...{ key_id: 'k1', name: 'siem', scope: 'backend', app_id: null, backend_id: 'b1' },
  ...{ fingerprint: 'f', status: 'active', created_at: '2026-03-01T10:00:00.000Z' },
  ...{ expires_at: null, revoked_at: null, last_used_at: null, read_up_to: null, version: '"1"' },
};

async function openPage() {
  respond('GET /log-export-keys', () => listReply([KEY]));
  respond('GET /mcp/backends', () => listReply([{ id: 'b1', name: 'Weather' }]));
  respondWith('GET /log-settings', { payloads: true, days: 30 });
  const rendered = await renderPart(<ExportKeysPage />);
  await screen.findByTestId('export-key-row');
  return rendered;
}

it('names the server of a key and writes "never" in a single way', async () => {
  await openPage();
  const row = screen.getByTestId('export-key-row');
  await within(row).findByText(t.scopeOf.backend('Weather'));
  expect(
    within(row)
      .getAllByText(/^never$/i)
      .map(({ textContent }) => textContent),
  ).toEqual(['Never', 'Never', 'Never']);
});

it('shows the export URL, a command and a link about collectors', async () => {
  await openPage();
  for (const scope of ['all_apps', 'all_backends'] as const) {
    const url = exportUrl(window.location.origin, scope);
    expect(screen.getByText(url)).toBeTruthy();
    const commands = screen.getAllByRole('region', { name: t.command });
    expect(commands.map(({ textContent }) => textContent)).toContain(exportCommand(url));
  }
  const link = screen.getByRole('link', { name: t.collectors });
  expect(link.getAttribute('href')).toBe('/docs/how-to/export-logs/');
  expect(screen.getByText(t.otherLogs)).toBeTruthy();
});

it('shows the URL of its scope beside a revealed key', async () => {
  const { user } = await openPage();
  respondWith('POST /log-export-keys/k1/reveal', { secret: 'gwl_1' });
  await user.click(screen.getByRole('button', { name: t.reveal }));
  const dialog = within(await screen.findByRole('dialog'));
  await dialog.findByDisplayValue('gwl_1');
  expect(dialog.getByText(exportUrl(window.location.origin, 'backend'))).toBeTruthy();
});
