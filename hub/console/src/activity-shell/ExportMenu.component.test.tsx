// The export menu: the command of "Send to SIEM".
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderPart } from '../testing/render.tsx';
import { ExportMenu } from './ExportMenu.tsx';
import { siemTexts, shellTexts as t } from './texts.ts';

it('gives the hourly command a single period, also for a list with a time range', async () => {
  const filter = { severity: 'high', from: '2026-03-01T00:00:00.000Z', to: '2026-03-02T00:00:00Z' };
  const { user } = await renderPart(<ExportMenu path="/alerts" list="alerts" filter={filter} />);
  await user.click(screen.getByRole('button', { name: t.export }));
  const csv = await screen.findByRole('menuitem', { name: /CSV/ });
  expect(csv.getAttribute('href')).toContain('from=2026-03-01');
  await user.click(screen.getByRole('menuitem', { name: t.siem }));
  const dialog = within(await screen.findByRole('dialog', { name: siemTexts.title }));
  const command = dialog.getByText(/alerts\/download/).textContent;
  expect(command.match(/from=/g)).toHaveLength(1);
  expect(command).toContain('severity=high&format=json&from=$FROM&to=$TO');
});
