// Sets or removes the monthly budget of the organization or of an app.
import type { Budget, BudgetInput } from '@gatewarden/shared/wire/console/llm-budgets.ts';
import { Button, NumberInput, Switch } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useReload, useTenantWrite } from '../api/tenant.ts';
import { texts } from '../texts.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { ErrorPanel } from '../ui/ErrorPanel.tsx';
import { budgetTexts as t } from './budget-texts.ts';

interface BudgetDialogProps {
  /** `organization`, or the id of an app. */
  scope: string;
  owner: string;
  /** Null for a new budget. */
  budget: Budget | null;
  onClosed: () => void;
}

export function BudgetDialog({ scope, owner, budget, onClosed }: BudgetDialogProps) {
  const write = useTenantWrite();
  const reload = useReload();
  const [amount, setAmount] = useState<number | string>(budget?.monthly_usd ?? '');
  const [blocks, setBlocks] = useState(budget?.blocks ?? false);
  const path = `/llm/budgets/${scope}`;
  const save = useMutation({
    mutationFn: (body: BudgetInput | null) =>
      body === null ? write('DELETE', path) : write('PUT', path, { body }),
    onSuccess: (_answer, body) =>
      notifications.show({ color: 'teal', message: body === null ? t.removed : t.saved }),
    onSettled: () => reload('gateway'),
  });
  const monthly = Number(amount);
  return (
    <Dialog title={t.dialogTitle(owner)} onClosed={onClosed}>
      {(close) => (
        <form
          className="gw-form"
          onSubmit={(event) => {
            event.preventDefault();
            save.mutate({ monthly_usd: monthly, blocks }, { onSuccess: close });
          }}
        >
          <NumberInput
            label={t.amount}
            description={t.amountHint}
            required
            data-autofocus
            min={0.01}
            decimalScale={2}
            prefix="$"
            thousandSeparator=","
            value={amount}
            onChange={setAmount}
          />
          <Switch
            label={t.block}
            description={t.blockHint}
            checked={blocks}
            onChange={(event) => setBlocks(event.currentTarget.checked)}
          />
          <p className="gw-flat gw-small gw-dimmed">{t.unpriced}</p>
          {save.isError ? <ErrorPanel error={save.error} title={texts.errors.notSaved} /> : null}
          <div className="gw-form-end">
            {budget === null ? null : (
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
            <Button type="submit" disabled={!(monthly > 0)} loading={save.isPending}>
              {t.save}
            </Button>
          </div>
        </form>
      )}
    </Dialog>
  );
}
