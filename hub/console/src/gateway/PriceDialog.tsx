// Sets the price of a model for the organization, or returns it to the list price.
import type { PricesAnswer } from '@gatewarden/shared/wire/console/llm-prices.ts';
import type { ModelCost } from '@gatewarden/shared/wire/management/providers.ts';
import { Button, NumberInput, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTenantWrite } from '../api/tenant.ts';
import { texts } from '../texts.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { ErrorPanel } from '../ui/ErrorPanel.tsx';
import { priceTexts as t } from './price-texts.ts';
import { useReloadGateway } from './reload-gateway.ts';

interface PriceDialogProps {
  prices: PricesAnswer;
  /** Empty for a model to add. */
  model: string;
  onClosed: () => void;
}

const PARTS = [
  { name: 'input_per_1m', label: t.input },
  { name: 'output_per_1m', label: t.output },
  { name: 'cache_per_1m', label: t.cached },
] as const;

export function PriceDialog({ prices, model, onClosed }: PriceDialogProps) {
  const write = useTenantWrite();
  const reloadGateway = useReloadGateway();
  const override = prices.overrides[model];
  const [name, setName] = useState(model);
  const [cost, setCost] = useState<ModelCost>(
    () => override ?? prices.list.find((item) => item.model === model) ?? {},
  );
  const save = useMutation({
    mutationFn: (next: ModelCost | null) => {
      const { [name]: _before, ...others } = prices.overrides;
      const overrides = next === null ? others : { ...others, [name.trim()]: next };
      return write('PUT', '/llm/prices', { body: { overrides }, ifMatch: prices.version });
    },
    onSuccess: () => notifications.show({ color: 'teal', message: t.saved }),
    onSettled: () => reloadGateway(),
  });
  const typed = Object.fromEntries(
    PARTS.flatMap(({ name: part }) => (typeof cost[part] === 'number' ? [[part, cost[part]]] : [])),
  );
  return (
    <Dialog title={model === '' ? t.add : t.modelTitle(model)} onClosed={onClosed}>
      {(close) => (
        <form
          className="gw-form"
          onSubmit={(event) => {
            event.preventDefault();
            save.mutate(typed, { onSuccess: close });
          }}
        >
          {model === '' ? (
            <TextInput
              label={t.model}
              description={t.modelHint}
              required
              data-autofocus
              maxLength={512}
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
            />
          ) : null}
          {PARTS.map(({ name: part, label }) => (
            <NumberInput
              key={part}
              label={label}
              description={part === 'cache_per_1m' ? t.cachedHint : t.perMillion}
              min={0}
              prefix="$"
              value={cost[part] ?? ''}
              onChange={(value) =>
                setCost({ ...cost, [part]: value === '' ? null : Number(value) })
              }
            />
          ))}
          <p className="gw-flat gw-small gw-dimmed">{t.applies}</p>
          {save.isError ? <ErrorPanel error={save.error} title={texts.errors.notSaved} /> : null}
          <div className="gw-form-end">
            {override === undefined ? null : (
              <Button
                variant="default"
                loading={save.isPending}
                onClick={() => save.mutate(null, { onSuccess: close })}
              >
                {t.remove}
              </Button>
            )}
            <Button variant="default" onClick={close}>
              {texts.ui.cancel}
            </Button>
            <Button
              type="submit"
              disabled={Object.keys(typed).length === 0 || name.trim() === ''}
              loading={save.isPending}
            >
              {t.save}
            </Button>
          </div>
        </form>
      )}
    </Dialog>
  );
}
