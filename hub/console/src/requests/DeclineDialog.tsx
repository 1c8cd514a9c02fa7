// Declines a request with a reason for the user.
import type {
  AccessRequest,
  AccessRequestAnswer,
} from '@gatewarden/shared/wire/console/access-requests.ts';
import { Button, Textarea } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useReload, useTenantWrite } from '../api/tenant.ts';
import { texts } from '../texts.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { Name } from '../ui/Name.tsx';
import { Overtaken } from './Overtaken.tsx';
import { aboutRequest } from './RequestCells.tsx';
import { requestTexts as words } from './texts.ts';
import '../policies/policies.css';

interface DeclineProps {
  request: AccessRequest;
  onClose: () => void;
}

export function DeclineDialog({ request, onClose }: DeclineProps) {
  return (
    <Dialog title={words.declineTitle} onClosed={onClose}>
      {(close) => <DeclineForm request={request} onClose={close} />}
    </Dialog>
  );
}

function DeclineForm({ request, onClose }: DeclineProps) {
  const write = useTenantWrite();
  const reload = useReload();
  const [reason, setReason] = useState('');
  const [missing, setMissing] = useState(false);
  const decline = useMutation({
    mutationFn: () =>
      write<AccessRequestAnswer>('POST', `/access-requests/${request.access_request_id}/decline`, {
        ifMatch: request.version,
        body: { reason: reason.trim() },
      }),
    onSuccess: () => {
      reload('access-requests');
      notifications.show({ color: 'teal', message: words.declined });
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
        if (reason.trim() !== '') decline.mutate();
      }}
    >
      <strong>
        <Name value={aboutRequest(request)} clamp />
      </strong>
      <Textarea
        label={words.declineReason}
        autosize
        minRows={2}
        maxLength={2000}
        required
        data-autofocus
        value={reason}
        error={missing ? words.declineNeeded : undefined}
        onChange={(event) => {
          setReason(event.currentTarget.value);
        }}
      />
      <Overtaken error={decline.error} request={request} />
      <div className="gw-form-end">
        <Button variant="default" onClick={onClose}>
          {texts.ui.cancel}
        </Button>
        <Button type="submit" color="red" loading={decline.isPending}>
          {words.declineSubmit}
        </Button>
      </div>
    </form>
  );
}
