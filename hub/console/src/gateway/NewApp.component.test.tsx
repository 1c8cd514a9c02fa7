// The dialog that creates an app: a new provider, the key with snippets, and a test request.
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderPart } from '../testing/render.tsx';
import { listReply, refusal, respond, respondWith, sentTo } from '../testing/responder.ts';
import { connectTexts } from './connect-texts.ts';
import { NewApp } from './NewApp.tsx';
import { gatewayTexts } from './texts.ts';

const t = gatewayTexts.apps;
const APPS = 'POST /gateway/apps';
const PROVIDERS = 'POST /gateway/providers';
const TEST = 'POST /llm/test-requests';

const aProvider = (label: string) => ({
  ...{ label, provider_name: 'vendorC', selected_models: ['claude-1'], model_costs: {} },
  ...{ provider_settings: {}, enabled: true, credential_configured: true, version: 'v1' },
});

async function openDialog(existing: object[]) {
  let providers = existing;
  respond('GET /gateway/providers', () => listReply(providers));
  respond(PROVIDERS, ({ body }) => {
    providers = [aProvider(body.label)];
    return { status: 201, body: { provider: providers[0] } };
  });
  respond(APPS, ({ body }) => ({
    status: 201,
    body: {
      app: { ...body, provider_labels: body.provider_labels ?? [] },
      key: { secret: 'gwk_1' },
    },
  }));
  respondWith('GET /llm/gateway', { url: 'https://llm.example.com', request_id: 'r' });
  const rendered = await renderPart(<NewApp onClosed={() => undefined} />);
  const dialog = within(await screen.findByRole('dialog'));
  const create = () => rendered.user.click(dialog.getByRole('button', { name: t.create }));
  return { ...rendered, dialog, create };
}

it('adds a provider with the app, and shows snippets with the key', async () => {
  const { dialog, user, create } = await openDialog([]);
  await user.type(dialog.getByLabelText(new RegExp(`^${t.name}`)), 'Help desk');
  await user.type(dialog.getByLabelText(/^API key \*$/), 'sk-1');
  await create();
  await dialog.findByText(connectTexts.address);
  expect(sentTo(PROVIDERS)[0]?.body).toMatchObject({ label: 'OpenAI', provider_name: 'vendorA' });
  expect(sentTo(APPS)[0]?.body).toMatchObject({ name: 'Help desk', provider_labels: ['OpenAI'] });
  const curl = await dialog.findByRole('region', { name: 'curl' });
  expect(curl.textContent).toContain('gwk_1');
  await user.click(dialog.getByRole('tab', { name: 'Claude Code' }));
  expect((await dialog.findByRole('region', { name: 'Claude Code' })).textContent).toContain(
    'ANTHROPIC_AUTH_TOKEN',
  );
  respondWith(TEST, {
    test: {
      ...{ outcome: 'answered', status: 200, text: 'Hello.', gateway_request_id: 'r-1' },
      ...{ latency_ms: 12, tokens_request: 3, tokens_response: 2, cost_usd: null },
    },
  });
  await user.click(dialog.getByRole('button', { name: connectTexts.send }));
  const result = within(await dialog.findByTestId('test-request-result'));
  expect(result.getByText('Hello.')).toBeTruthy();
  expect(result.getByText(connectTexts.noPrice)).toBeTruthy();
  // The dialog with the key blocks navigation in this tab.
  expect(result.getByRole('link').getAttribute('target')).toBe('_blank');
  expect(sentTo(TEST)[0]?.body).toEqual({
    ...{ app_key: 'gwk_1', provider_label: 'OpenAI', model: 'claude-1' },
  });
});

it('offers every model of the providers while a model is chosen', async () => {
  const models = ['claude-1', 'claude-2'];
  const { dialog, user, create } = await openDialog([
    { ...aProvider('main'), selected_models: models },
  ]);
  await user.type(dialog.getByLabelText(new RegExp(`^${t.name}`)), 'Help desk');
  await user.click(dialog.getByRole('combobox', { name: new RegExp(t.providers) }));
  await user.click(await screen.findByRole('option', { name: 'main' }));
  await create();
  await user.click(await dialog.findByRole('combobox', { name: connectTexts.model }));
  const options = await screen.findAllByRole('option', { name: /^claude/ });
  expect(options.map(({ textContent }) => textContent)).toEqual(models);
});

it('keeps the added provider when the app is refused', async () => {
  const { dialog, user, create } = await openDialog([]);
  await user.type(dialog.getByLabelText(new RegExp(`^${t.name}`)), 'Help desk');
  await user.type(dialog.getByLabelText(/^API key \*$/), 'sk-1');
  respond(APPS, () => refusal(409, 'already_exists', 'An app has this name.'));
  await create();
  await dialog.findByText(/An app has this name/);
  await create();
  await expect.poll(() => sentTo(APPS).length).toBe(2);
  expect(sentTo(PROVIDERS)).toHaveLength(1);
});

it('requires an existing provider or a new provider', async () => {
  const { dialog, user, create } = await openDialog([aProvider('main')]);
  await dialog.findByRole('radiogroup', { name: t.provider });
  await user.type(dialog.getByLabelText(new RegExp(`^${t.name}`)), 'Help desk');
  await create();
  await dialog.findByText(t.needProvider);
  expect(sentTo(APPS)).toEqual([]);
});
