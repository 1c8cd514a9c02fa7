// Sample data on Home: offered to an empty organization, removed after a confirmation.
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderPart } from '../testing/render.tsx';
import { refusal, respond, respondWith, sentTo } from '../testing/responder.ts';
import { SampleData } from './SampleData.tsx';
import { sampleTexts as t } from './texts.ts';

const STATE = 'GET /sample-data';
const state = (over: object = {}) => ({
  ...{ is_empty: false, is_loaded: false, other_devices: 0 },
  ...over,
});

it('offers sample data to an empty organization and loads them', async () => {
  respondWith(STATE, state({ is_empty: true }));
  respondWith('POST /sample-data', { devices: 60 });
  const { user } = await renderPart(<SampleData />);
  await user.click(await screen.findByRole('button', { name: t.load }));
  await screen.findByText(t.loaded);
  expect(sentTo('POST /sample-data')).toHaveLength(1);
});

it('shows the error for an organization with data', async () => {
  respondWith(STATE, state({ is_empty: true }));
  respond('POST /sample-data', () => refusal(409, 'tenant_not_empty', 'not empty'));
  const { user } = await renderPart(<SampleData />);
  await user.click(await screen.findByRole('button', { name: t.load }));
  await screen.findByText(/not empty/);
});

it('removes sample data after a confirmation that counts other devices', async () => {
  respondWith(STATE, state({ is_loaded: true, other_devices: 2 }));
  respondWith('DELETE /sample-data', { rows: 6 });
  const { user } = await renderPart(<SampleData />);
  await user.click(await screen.findByRole('button', { name: t.remove }));
  const dialog = within(await screen.findByRole('dialog'));
  dialog.getByText(/also 2 devices outside the sample data/);
  expect(sentTo('DELETE /sample-data')).toEqual([]);
  await user.click(dialog.getByRole('button', { name: t.remove }));
  await screen.findByText(t.removed);
});

it('shows nothing to a Viewer', async () => {
  respondWith(STATE, state({ is_empty: true }));
  await renderPart(<SampleData />, 'Viewer');
  expect(screen.queryByRole('button')).toBeNull();
});
