// Prices of models: the list with the organization's prices, a changed price, and its removal.
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderPart } from '../testing/render.tsx';
import { respondWith, sentTo } from '../testing/responder.ts';
import { PricesPage } from './PricesPage.tsx';
import { priceTexts as t } from './price-texts.ts';

const PUT = 'PUT /llm/prices';
const prices = {
  list_date: '2025-11-30',
  list: [
    { vendor: 'OpenAI', model: 'gpt-4o', input_per_1m: 2.5, output_per_1m: 10 },
    { vendor: 'Google', model: 'gemini-2.5-pro', input_per_1m: 1.25, output_per_1m: 10 },
  ],
  overrides: { 'gpt-4o': { input_per_1m: 2 } },
  version: 'v3',
  request_id: 'r',
};

async function openPage(role: 'Admin' | 'Viewer' = 'Admin') {
  respondWith('GET /llm/prices', prices);
  respondWith(PUT, prices);
  const rendered = await renderPart(<PricesPage />, role);
  await screen.findAllByTestId('price-row');
  return rendered;
}

const rowOf = (model: string) =>
  within(screen.getByText(model).closest('[data-testid="price-row"]') as HTMLElement);

it('shows the price of the organization instead of the list price', async () => {
  await openPage('Viewer');
  expect(screen.getAllByTestId('price-row')).toHaveLength(2);
  expect(rowOf('gpt-4o').getByText('$2.00')).toBeTruthy();
  expect(rowOf('gpt-4o').getByText(t.override)).toBeTruthy();
  expect(rowOf('gemini-2.5-pro').getByText(t.list)).toBeTruthy();
  expect(screen.queryByRole('button', { name: t.add })).toBeNull();
});

it('sets a price beside the others', async () => {
  const { user } = await openPage();
  await user.click(rowOf('gemini-2.5-pro').getByRole('button', { name: t.edit }));
  const dialog = within(await screen.findByRole('dialog'));
  const input = dialog.getByRole('textbox', { name: t.input });
  await user.clear(input);
  await user.type(input, '1');
  await user.click(dialog.getByRole('button', { name: t.save }));
  await expect.poll(() => sentTo(PUT).length).toBe(1);
  expect(sentTo(PUT)[0]).toMatchObject({
    headers: { 'if-match': 'v3' },
    body: {
      overrides: {
        'gpt-4o': { input_per_1m: 2 },
        'gemini-2.5-pro': { input_per_1m: 1, output_per_1m: 10 },
      },
    },
  });
});

it('removes the price of the organization', async () => {
  const { user } = await openPage();
  await user.click(rowOf('gpt-4o').getByRole('button', { name: t.edit }));
  const dialog = within(await screen.findByRole('dialog'));
  await user.click(dialog.getByRole('button', { name: t.remove }));
  await expect.poll(() => sentTo(PUT)[0]?.body).toEqual({ overrides: {} });
});
