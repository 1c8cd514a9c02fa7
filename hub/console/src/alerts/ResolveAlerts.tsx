// Resolves alerts with a result and a comment: a single alert from its dialog, or the selected alerts of the list.
import type {
  AlertRow,
  AlertsResolution,
  AlertsResolved,
} from '@gatewarden/shared/wire/console/alerts.ts';
import { Button, NativeSelect, Textarea } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { isStatus } from '../api/client.ts';
import { sentSurely } from '../api/idempotency.ts';
import { oneOf } from '../api/query-string.ts';
import { useReload, useTenantWrite } from '../api/tenant.ts';
import { texts } from '../texts.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { Refusal } from '../ui/Refusal.tsx';
import { ALERT_RESOLUTIONS } from './states.ts';
import { resolveTexts as words } from './texts.ts';
import '../policies/policies.css';

const COMMENT_MAX = 1_000;

interface ResolveDialogProps {
  alerts: readonly AlertRow[];
  /** Called after the alerts are resolved. */
  onResolved?: () => void;
  onClosed: () => void;
}

export function ResolveDialog({ alerts, onResolved, onClosed }: ResolveDialogProps) {
  return (
    <Dialog title={words.title(alerts.length)} onClosed={onClosed}>
      {(close) => (
        <ResolveForm
          alerts={alerts}
          onCancel={close}
          onResolved={() => {
            onResolved?.();
            close();
          }}
        />
      )}
    </Dialog>
  );
}

interface ResolveFormProps {
  alerts: readonly AlertRow[];
  onResolved: () => void;
  onCancel: () => void;
}

function ResolveForm({ alerts, onResolved, onCancel }: ResolveFormProps) {
  const [single] = alerts.length === 1 ? alerts : [];
  const [resolution, setResolution] = useState<AlertsResolution['resolution']>(
    single?.resolution ?? 'fixed',
  );
  const [comment, setComment] = useState(single?.resolution_comment ?? '');
  // The resolution that the user saw. After a conflict the dialog shows the current resolution, which the user may replace.
  const [opened] = useState(alerts);
  const [isOvertaken, setOvertaken] = useState(false);
  const write = useTenantWrite();
  const reload = useReload();
  const resolve = useMutation({
    mutationFn: () => {
      const body: AlertsResolution = {
        alerts: (isOvertaken ? alerts : opened).map(
          ({ alert_id, device_id, resolution: seen }) => ({
            ...{ alert_id, device_id },
            instead_of: seen,
          }),
        ),
        resolution,
        ...(comment.trim() === '' ? {} : { comment: comment.trim() }),
      };
      return sentSurely(() => write<AlertsResolved>('POST', '/alerts/resolve', { body }));
    },
    onSuccess: () => {
      notifications.show({ color: 'teal', message: words.done(alerts.length) });
      onResolved();
    },
    onError: (error) => setOvertaken(isStatus(error, 412)),
    onSettled: () => reload('alerts'),
  });
  return (
    <form
      className="gw-form"
      onSubmit={(event) => {
        event.preventDefault();
        resolve.mutate();
      }}
    >
      <NativeSelect
        label={words.resolution}
        data-autofocus
        value={resolution}
        data={ALERT_RESOLUTIONS.map((value) => ({ value, label: words.resolutions[value] }))}
        onChange={({ currentTarget: { value } }) =>
          setResolution(oneOf(ALERT_RESOLUTIONS, value) ?? resolution)
        }
      />
      <Textarea
        label={words.comment}
        description={words.commentHint}
        maxLength={COMMENT_MAX}
        autosize
        minRows={2}
        value={comment}
        onChange={(event) => setComment(event.currentTarget.value)}
      />
      <Refusal error={resolve.error} conflict={words.conflict(single)} />
      <div className="gw-form-end">
        <Button variant="default" onClick={onCancel}>
          {texts.ui.cancel}
        </Button>
        <Button type="submit" loading={resolve.isPending}>
          {words.submit(alerts.length)}
        </Button>
      </div>
    </form>
  );
}
