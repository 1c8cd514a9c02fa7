// Asks a reviewer for an exception on one's own device, in one's own words.
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

export interface AskAbout {
  deviceId: string;
  name: string;
  about: { entity_id: string } | { activity_id: string };
}

interface AskButtonProps {
  about: AskAbout;
  onAsk: (about: AskAbout) => void;
}

export function AskButton({ about, onAsk }: AskButtonProps) {
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

/** The question of a list. Not in a row: it goes when others come, and what is being written would go with it. */
export function useAsking() {
  const [asking, setAsking] = useState<AskAbout | null>(null);
  const dialog =
    asking === null ? null : (
      <Dialog
        title={words.askTitle}
        onClosed={() => {
          setAsking(null);
        }}
      >
        {(close) => <AskForm {...asking} onClose={close} />}
      </Dialog>
    );
  return { onAsk: setAsking, dialog };
}

function AskForm({ deviceId, name, about, onClose }: AskAbout & { onClose: () => void }) {
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
