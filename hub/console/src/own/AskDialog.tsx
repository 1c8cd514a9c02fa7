// Requests an exception for an app or event on the user's own device, with a reason.
import type { OwnAccessRequestAnswer } from '@gatewarden/shared/wire/console/access-requests.ts';
import { Button, Textarea } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useReload, useTenantWrite } from '../api/tenant.ts';
import { requestTexts as words } from '../requests/texts.ts';
import { texts } from '../texts.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { ErrorPanel } from '../ui/ErrorPanel.tsx';
import { Name } from '../ui/Name.tsx';

export interface AccessRequestTarget {
  deviceId: string;
  name: string;
  about: { entity_id: string } | { activity_id: string };
}

interface AskButtonProps {
  about: AccessRequestTarget;
  onAsk: (about: AccessRequestTarget) => void;
}

export function RequestAccessButton({ about, onAsk }: AskButtonProps) {
  return (
    <Button
      size="xs"
      variant="default"
      aria-label={words.askNamed(about.name)}
      onClick={() => {
        onAsk(about);
      }}
    >
      {words.ask}
    </Button>
  );
}

/** Returns the dialog of a list. The dialog is outside of the rows, because a row may leave the list while the user types. */
export function useAccessRequestDialog() {
  const [target, setTarget] = useState<AccessRequestTarget | null>(null);
  const dialog =
    target === null ? null : (
      <Dialog
        title={words.askTitle}
        onClosed={() => {
          setTarget(null);
        }}
      >
        {(close) => <AccessRequestForm {...target} onClose={close} />}
      </Dialog>
    );
  return { onAsk: setTarget, dialog };
}

function AccessRequestForm({
  deviceId,
  name,
  about,
  onClose,
}: AccessRequestTarget & { onClose: () => void }) {
  const write = useTenantWrite();
  const reload = useReload();
  const [reason, setReason] = useState('');
  const [missing, setMissing] = useState(false);
  const ask = useMutation({
    mutationFn: () =>
      write<OwnAccessRequestAnswer>('POST', '/own/access-requests', {
        body: { device_id: deviceId, reason: reason.trim(), ...about },
      }),
    onSuccess: () => {
      reload('access-requests');
      notifications.show({ color: 'teal', message: words.askDone });
      onClose();
    },
  });
  return (
    <form
      className="gw-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        setMissing(reason.trim() === '');
        if (reason.trim() !== '') ask.mutate();
      }}
    >
      <strong>
        <Name value={name} clamp />
      </strong>
      <p className="gw-dimmed gw-flat">{words.askText}</p>
      <Textarea
        label={words.askReason}
        autosize
        minRows={3}
        maxLength={1000}
        required
        data-autofocus
        value={reason}
        error={missing ? words.askNeeded : undefined}
        onChange={(event) => {
          setReason(event.currentTarget.value);
        }}
      />
      {ask.isError ? <ErrorPanel error={ask.error} title={texts.errors.notSaved} /> : null}
      <div className="gw-form-end">
        <Button variant="default" onClick={onClose}>
          {texts.ui.cancel}
        </Button>
        <Button type="submit" loading={ask.isPending}>
          {words.askSubmit}
        </Button>
      </div>
    </form>
  );
}
