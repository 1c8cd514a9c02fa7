// Assigns an alert to a user, or removes the assignment. A concurrent assignment shows a conflict and keeps the choice.
import type {
  AlertAnswer,
  AlertAssigneesAnswer,
  AlertAssignment,
  AlertRow,
} from '@gatewarden/shared/wire/console/alerts.ts';
import { Button, NativeSelect } from '@mantine/core';
import { IconUserPlus } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { isStatus } from '../api/client.ts';
import { useReload, useResource, useTenant, useTenantWrite } from '../api/tenant.ts';
import { texts } from '../texts.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { ErrorPanel } from '../ui/ErrorPanel.tsx';
import { headline } from './FreshAlerts.tsx';
import { assignTexts as words } from './texts.ts';
import '../policies/policies.css';
import { Refusal } from '../ui/Refusal.tsx';
import { RowAction } from '../ui/RowAction.tsx';
import { visible } from '../ui/visible.ts';

interface AssignButtonProps {
  row: AlertRow;
  onAssign: (row: AlertRow) => void;
  /** Shows the button as an icon, for the row of a dense table. */
  compact?: boolean;
}

export function AssignButton({ row, onAssign, compact = false }: AssignButtonProps) {
  if (compact) {
    return (
      <RowAction
        label={words.assign}
        fullLabel={words.assignNamed(headline(row))}
        Icon={IconUserPlus}
        onClick={() => onAssign(row)}
      />
    );
  }
  return (
    <Button
      size="xs"
      variant="default"
      aria-label={words.assignNamed(headline(row))}
      onClick={() => {
        onAssign(row);
      }}
    >
      {words.assign}
    </Button>
  );
}

interface AssignDialogProps {
  row: AlertRow;
  onClosed: () => void;
}

/** The dialog is outside of the row, because a concurrent acknowledgment removes the row. */
export function AssignDialog({ row, onClosed }: AssignDialogProps) {
  return (
    <Dialog title={words.title} onClosed={onClosed}>
      {(close) => <AssignForm of={row} onClose={close} />}
    </Dialog>
  );
}

function AssignForm({ of: opened, onClose }: { of: AlertRow; onClose: () => void }) {
  const { email: self } = useTenant();
  const write = useTenantWrite();
  const reload = useReload();
  const people = useResource<AlertAssigneesAnswer>('people', '/alert-assignees');
  // The current alert, because the opened row may have left the list.
  const live = useResource<AlertAnswer>('alerts', `/alerts/${opened.alert_id}`, {
    device_id: opened.device_id,
  });
  const row = live.data?.alert ?? opened;
  const [chosen, setChosen] = useState<string | null>(null);
  // The assignee that the user saw when choosing, while the alert follows concurrent changes.
  const [seen, setSeen] = useState(opened.assigned_to);
  const now = seen ?? '';
  // The signed-in user is the default, because most reviewers assign alerts to themselves.
  const value = chosen ?? (now === '' ? self : now);
  const emails = [...new Set([self, ...(people.data?.items ?? []).map((item) => item.email)])];
  const choices = now === '' || emails.includes(now) ? emails : [...emails, now];
  const store = useMutation({
    mutationFn: () =>
      write<AlertAnswer>('POST', `/alerts/${row.alert_id}/assign?device_id=${row.device_id}`, {
        body: {
          assigned_to: value === '' ? null : value,
          instead_of: seen,
        } satisfies AlertAssignment,
      }),
    onSuccess: onClose,
    onSettled: () => reload('alerts'),
  });
  const isConflict = isStatus(store.error, 412);
  return (
    <form
      className="gw-form"
      onSubmit={(event) => {
        event.preventDefault();
        store.mutate();
      }}
    >
      <strong>
        <bdi className="gw-name gw-clamp">{headline(row)}</bdi>
      </strong>
      <NativeSelect
        label={words.to}
        data-autofocus
        value={value}
        data={[
          { value: '', label: words.nobody },
          ...choices.map((email) => ({
            value: email,
            label: email === self ? words.self(email) : visible(email),
          })),
        ]}
        onChange={(event) => {
          setChosen(event.currentTarget.value);
          if (isConflict) {
            setSeen(row.assigned_to);
            store.reset();
          }
        }}
      />
      {row.state === 'open' ? null : (
        <p className="gw-flat" role="status">
          <bdi className="gw-name">{words.acknowledgedMeanwhile(row.acknowledged_by)}</bdi>
        </p>
      )}
      {people.isError ? <ErrorPanel error={people.error} /> : null}
      <Refusal error={store.error} conflict={words.conflict(row.assigned_to)} />
      <div className="gw-form-end">
        <Button variant="default" onClick={onClose}>
          {texts.ui.cancel}
        </Button>
        <Button type="submit" loading={store.isPending} disabled={value === now || isConflict}>
          {words.store}
        </Button>
      </div>
    </form>
  );
}
