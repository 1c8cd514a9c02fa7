// Adds or changes a provider: the settings of its type and authentication mode, its models and their prices.
import type { Provider } from '@gatewarden/shared/wire/management/providers.ts';
import { Button, Switch } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useIdempotencyKey } from '../api/idempotency.ts';
import { useTenantRead, useTenantWrite } from '../api/tenant.ts';
import { EditConflict } from '../concurrent-edits/EditConflict.tsx';
import { useMergedForm } from '../concurrent-edits/use-merged-form.ts';
import { texts } from '../texts.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { ErrorPanel } from '../ui/ErrorPanel.tsx';
import {
  ProviderCosts,
  ProviderIdentity,
  ProviderModels,
  ProviderSettingFields,
} from './ProviderFields.tsx';
import {
  dropSecretOfOldAddress,
  EMPTY_PROVIDER,
  type ProviderValues,
  toProviderInput,
  toProviderPatch,
  toProviderValues,
} from './provider-values.ts';
import { useReloadGateway } from './reload-gateway.ts';
import { nameInWords } from './schema-fields.ts';
import { gatewayTexts } from './texts.ts';
import { providerTypeLabel } from './vendors.ts';

const t = gatewayTexts.providers;

interface ProviderDialogProps {
  /** Null for a new provider. */
  provider: Provider | null;
  onClosed: () => void;
}

export function ProviderDialog({ provider, onClosed }: ProviderDialogProps) {
  const [values, setValues] = useState<ProviderValues>(() =>
    provider === null ? EMPTY_PROVIDER : toProviderValues(provider),
  );
  const write = useTenantWrite();
  const reloadGateway = useReloadGateway();
  const idempotency = useIdempotencyKey();
  const read = useTenantRead();
  const meanwhile = useMergedForm<Provider, ProviderValues>(provider, {
    read: async (item) => (await read<{ provider: Provider }>(providerPath(item))).provider,
    valuesOf: toProviderValues,
    values: () => values,
    setValues,
    withoutSecret: dropSecretOfOldAddress,
  });
  const { standing } = meanwhile;
  const store = useMutation({
    mutationFn: () =>
      standing === null
        ? write('POST', '/gateway/providers', {
            body: toProviderInput(values),
            idempotencyKey: idempotency.key,
          })
        : write('PATCH', providerPath(standing), {
            body: toProviderPatch(values, standing),
            ifMatch: standing.version,
          }),
    onSuccess: () => notifications.show({ color: 'teal', message: t.stored }),
    onMutate: meanwhile.forget,
    onError: async (error) => {
      idempotency.failed(error);
      await meanwhile.refused(error);
    },
    onSettled: () => reloadGateway(),
  });
  const change = (part: Partial<ProviderValues>) => setValues((former) => ({ ...former, ...part }));
  return (
    <Dialog wide title={provider?.label ?? t.new} onClosed={onClosed}>
      {(close) => (
        <form
          className="gw-form"
          onSubmit={(event) => {
            event.preventDefault();
            store.mutate(undefined, { onSuccess: close });
          }}
        >
          {provider === null ? <ProviderIdentity values={values} change={change} /> : null}
          <p className="gw-flat gw-small gw-dimmed" data-testid="provider-type">
            {provider === null ? null : `${providerTypeLabel(values.type)} · `}
            {t.wireType} <code className="gw-mono">{values.type}</code>
          </p>
          <ProviderSettingFields values={values} change={change} isNew={provider === null} />
          <ProviderModels values={values} change={change} />
          <ProviderCosts values={values} change={change} />
          <Switch
            label={gatewayTexts.apps.states.true}
            checked={values.enabled}
            onChange={(event) => change({ enabled: event.currentTarget.checked })}
          />
          <EditConflict
            both={meanwhile.both}
            address={meanwhile.address}
            labelOf={([field = '', name]) => nameInWords(name ?? field)}
          />
          {store.error === null || meanwhile.both !== null ? null : (
            <ErrorPanel error={store.error} title={texts.errors.notSaved} />
          )}
          <div className="gw-form-end">
            <Button variant="default" onClick={close}>
              {texts.ui.cancel}
            </Button>
            <Button type="submit" loading={store.isPending}>
              {provider === null ? t.create : t.store}
            </Button>
          </div>
        </form>
      )}
    </Dialog>
  );
}

const providerPath = ({ label }: Provider) => `/gateway/providers/${encodeURIComponent(label)}`;
