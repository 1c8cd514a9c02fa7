// The form of a provider: the settings of each type, secrets that are never shown, and concurrent changes.
import type { Provider, ProviderType } from '@gatewarden/shared/wire/management/providers.ts';
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { editConflictTexts } from '../concurrent-edits/texts.ts';
import { renderPart } from '../testing/render.tsx';
import { loseAnswer, refusal, respond, respondWith, sentTo } from '../testing/responder.ts';
import { texts } from '../texts.ts';
import { ProviderDialog } from './ProviderDialog.tsx';
import { listFormSettings } from './provider-values.ts';
import { nameInWords } from './schema-fields.ts';
import { TestProvider } from './TestProvider.tsx';
import { gatewayTexts } from './texts.ts';

const t = gatewayTexts.providers;
const CREATE = 'POST /gateway/providers';
const PATCH = 'PATCH /gateway/providers/main';

const aProvider = (fields: Partial<Provider> = {}) =>
  ({
    ...{ label: 'main', provider_name: 'vendorA', provider_settings: {}, model_costs: {} },
    ...{ selected_models: [], enabled: true, credential_configured: true, version: 'v1' },
    ...fields,
  }) as Provider;

async function openDialog(provider: Provider | null) {
  const rendered = await renderPart(
    <ProviderDialog provider={provider} onClosed={() => undefined} />,
  );
  const dialog = within(await screen.findByRole('dialog'));
  const submit = () =>
    rendered.user.click(
      dialog.getByRole('button', { name: provider === null ? t.create : t.store }),
    );
  /** Returns a field by its label; a password field has no role. */
  const field = (label: string) => dialog.getByLabelText(new RegExp(`^${label}( \\*)?$`));
  return { ...rendered, dialog, submit, field };
}

it('lists vendors without a name last, and shows the wire type only as a detail', async () => {
  const { dialog } = await openDialog(null);
  const types = dialog.getByRole('combobox', { name: t.type });
  const groups = within(types).getAllByRole('group') as HTMLOptGroupElement[];
  expect(groups.map(({ label }) => label)).toEqual([t.otherVendors]);
  expect(groups[0]).toBe(types.lastElementChild);
  const unnamed = within(groups[0] as HTMLElement).getAllByRole('option');
  expect(unnamed.every(({ textContent }) => /Vendor [A-Z]/.test(textContent ?? ''))).toBe(true);
  const labels = within(types)
    .getAllByRole('option')
    .map(({ textContent }) => textContent);
  expect(labels.join()).not.toMatch(/vendor[A-L]/);
  expect(dialog.getByTestId('provider-type').textContent).toMatch(/ vendorA$|general$/);
});

it.each([
  'vendorA',
  'vendorB_vendorA',
  'general',
  'vendorE_ai',
  'vendorF',
  'vendorG',
] as const satisfies ProviderType[])(
  'asks for the settings that a provider of type %s needs',
  async (type) => {
    const { user, dialog, field } = await openDialog(null);
    await user.selectOptions(dialog.getByRole('combobox', { name: t.type }), type);
    for (const { name, isSecret, isRequired } of listFormSettings(type, {})) {
      const input = field(nameInWords(name)) as HTMLInputElement;
      expect([name, input.type, input.required]).toEqual([
        name,
        isSecret ? 'password' : 'text',
        isRequired,
      ]);
    }
  },
);

it('another authentication mode shows its settings', async () => {
  const { user, dialog, field } = await openDialog(null);
  await user.selectOptions(dialog.getByRole('combobox', { name: t.type }), 'vendorG');
  expect(dialog.queryByLabelText(nameInWords('vendorG_role_arn'), { exact: false })).toBe(null);
  await user.selectOptions(
    dialog.getByRole('combobox', { name: nameInWords('vendorG_auth_mode') }),
    'assume_role',
  );
  expect(field(nameInWords('vendorG_role_arn'))).toBeTruthy();
});

it('another type clears the settings of the previous type', async () => {
  const { user, dialog, field, submit } = await openDialog(null);
  respondWith(CREATE, { provider: aProvider() });
  await user.type(field(t.label), 'main');
  await user.type(field(nameInWords('api_key')), 'sk-1');
  await user.selectOptions(dialog.getByRole('combobox', { name: t.type }), 'vendorC');
  expect(field(nameInWords('api_key'))).toHaveProperty('value', '');
  await user.type(field(nameInWords('api_key')), 'sk-2');
  await submit();
  await screen.findByText(t.stored);
  expect(sentTo(CREATE)[0]?.body).toMatchObject({
    provider_name: 'vendorC',
    provider_settings: { api_key: 'sk-2' },
  });
});

it('retries a creation with the same idempotency key after a lost response', async () => {
  const { user, dialog, field, submit } = await openDialog(null);
  respond(CREATE, loseAnswer);
  await user.type(field(t.label), 'main');
  await user.type(field(nameInWords('api_key')), 'sk-1');
  await submit();
  await dialog.findByText(texts.errors.unreachable);
  respondWith(CREATE, { provider: aProvider() });
  await submit();
  await screen.findByText(t.stored);
  const keys = sentTo(CREATE).map(({ headers }) => headers['idempotency-key']);
  expect(keys).toEqual([keys[0], keys[0]]);
});

it('never shows a stored credential, and keeps it if none is typed', async () => {
  const { field, dialog, submit } = await openDialog(aProvider());
  respondWith(PATCH, { provider: aProvider() });
  expect(field(nameInWords('api_key'))).toHaveProperty('value', '');
  expect(dialog.getByText(t.keep)).toBeTruthy();
  expect(dialog.queryByRole('textbox', { name: t.label })).toBe(null);
  await submit();
  await screen.findByText(t.stored);
  expect(sentTo(PATCH)[0]?.body).not.toHaveProperty('provider_settings');
});

it('asks for the prices of the models that are selected', async () => {
  const { user, dialog, field, submit } = await openDialog(aProvider());
  respondWith(PATCH, { provider: aProvider() });
  await user.type(dialog.getByRole('combobox', { name: t.models }), 'm-1{Enter}');
  await user.type(field(`m-1: ${t.input}`), '2,5x');
  expect(field(`m-1: ${t.input}`)).toHaveProperty('value', '2.5');
  await submit();
  await screen.findByText(t.stored);
  expect(sentTo(PATCH)[0]?.body.model_costs).toMatchObject({ 'm-1': { input_per_1m: 2.5 } });
});

it('keeps typed values and takes over concurrent changes of other fields', async () => {
  const { user, dialog, submit } = await openDialog(aProvider());
  await user.type(dialog.getByRole('combobox', { name: t.models }), 'mine{Enter}');
  respond(PATCH, () => refusal(412, 'version_conflict', 'changed'));
  respondWith('GET /gateway/providers/main', {
    provider: aProvider({ enabled: false, version: 'v2' }),
  });
  await submit();
  await dialog.findByText(editConflictTexts.title);
  expect(dialog.getByRole('switch')).toHaveProperty('checked', false);
  respondWith(PATCH, { provider: aProvider() });
  await submit();
  await screen.findByText(t.stored);
  expect(sentTo(PATCH)[1]).toMatchObject({
    body: { selected_models: ['mine'], enabled: false },
    headers: { 'if-match': 'v2' },
  });
});

it('removes a typed secret after a concurrent change of its address', async () => {
  const original = aProvider({
    provider_name: 'general',
    provider_settings: { base_url: 'https://models.example' },
  });
  const { user, dialog, field, submit } = await openDialog(original);
  await user.type(field(nameInWords('api_key')), 'sk-typed');
  respond(PATCH, () => refusal(412, 'version_conflict', 'changed'));
  const address = 'https://elsewhere.example';
  respondWith('GET /gateway/providers/main', {
    provider: { ...original, provider_settings: { base_url: address }, version: 'v2' },
  });
  await submit();
  await dialog.findByText(editConflictTexts.secretTakenOut(address));
  expect(field(nameInWords('api_key'))).toHaveProperty('value', '');
});

it('shows the outcome of a test with its code and time', async () => {
  respondWith('POST /gateway/providers/main/test', {
    test: { outcome: 'failed', code: 'unauthorized', latency_ms: 41.6 },
  });
  const { user } = await renderPart(
    <TestProvider provider={aProvider({ selected_models: ['m-1'] })} onClosed={() => undefined} />,
  );
  await user.click(await screen.findByRole('button', { name: t.testRun }));
  await screen.findByText(`${t.outcomes.failed} · ${t.testReasons.unauthorized} · 42 ms`);
  expect(sentTo('POST /gateway/providers/main/test')[0]?.body).toEqual({
    kind: 'model',
    model: 'm-1',
  });
});

it('explains that the hub may not call the address of a provider', async () => {
  respondWith('POST /gateway/providers/main/test', {
    test: {
      ...{ configuration_version: 'v1', kind: 'model', model: 'm-1', outcome: 'failed' },
      ...{ code: 'connection_failed', completed_at: 1 },
    },
  });
  const { user } = await renderPart(
    <TestProvider provider={aProvider({ selected_models: ['m-1'] })} onClosed={() => undefined} />,
  );
  await user.click(await screen.findByRole('button', { name: t.testRun }));
  await screen.findByText(`${t.outcomes.failed} · ${t.addressRefused}`);
});
