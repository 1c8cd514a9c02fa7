// Sends a short test request to a model with the stored provider, and shows the result.
import type { Provider, ProviderTest } from '@gatewarden/shared/wire/management/providers.ts';
import { Button, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTenantWrite } from '../api/tenant.ts';
import { texts } from '../texts.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { ErrorPanel } from '../ui/ErrorPanel.tsx';
import { testReason } from './LastTest.tsx';
import { gatewayTexts } from './texts.ts';

const t = gatewayTexts.providers;

export function TestProvider({ provider, onClosed }: { provider: Provider; onClosed: () => void }) {
  const [model, setModel] = useState(provider.selected_models[0] ?? '');
  const write = useTenantWrite();
  const ask = useMutation({
    mutationFn: () =>
      write<{ test: ProviderTest }>(
        'POST',
        `/gateway/providers/${encodeURIComponent(provider.label)}/test`,
        { body: { kind: 'model', ...(model === '' ? {} : { model }) } },
      ),
  });
  const test = ask.data?.test;
  return (
    <Dialog title={`${t.test}: ${provider.label}`} onClosed={onClosed}>
      {(close) => (
        <form
          className="gw-form"
          onSubmit={(event) => {
            event.preventDefault();
            ask.mutate();
          }}
        >
          <p className="gw-flat">{t.testText}</p>
          <TextInput
            label={t.testModel}
            maxLength={512}
            data-autofocus
            value={model}
            onChange={(event) => setModel(event.currentTarget.value)}
          />
          <p className="gw-flat" role="status">
            {test === undefined
              ? ''
              : [
                  t.outcomes[test.outcome],
                  testReason(test),
                  test.latency_ms === undefined ? null : `${Math.round(test.latency_ms)} ms`,
                ]
                  .filter(Boolean)
                  .join(' · ')}
          </p>
          {ask.isError ? <ErrorPanel error={ask.error} /> : null}
          <div className="gw-form-end">
            <Button variant="default" onClick={close}>
              {texts.ui.close}
            </Button>
            <Button type="submit" loading={ask.isPending}>
              {t.testRun}
            </Button>
          </div>
        </form>
      )}
    </Dialog>
  );
}
