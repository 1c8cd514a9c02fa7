// Grants access on the device of the request, after a preview of the policy.
import type {
  AccessRequest,
  AccessRequestAnswer,
} from '@gatewarden/shared/wire/console/access-requests.ts';
import { Button, Radio, Textarea, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { oneOf } from '../api/query-string.ts';
import { useReload, useTenantWrite } from '../api/tenant.ts';
import { PreviewBox } from '../policies/PreviewBox.tsx';
import { usePreview } from '../policies/preview.ts';
import { texts } from '../texts.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { Name } from '../ui/Name.tsx';
import { fromLocalInput } from '../ui/time-text.ts';
import { Overtaken } from './Overtaken.tsx';
import { aboutRequest } from './RequestCells.tsx';
import { requestTexts as words } from './texts.ts';
import '../policies/policies.css';

const HOUR = 3_600_000;
const SPANS = { hour: HOUR, day: 24 * HOUR, week: 7 * 24 * HOUR } as const;
const CHOICES = ['hour', 'day', 'week', 'until'] as const;

type Exception = NonNullable<AccessRequest['exception']>;

interface GrantProps {
  request: AccessRequest;
  exception: Exception;
  onClose: () => void;
}

export function GrantDialog({ onClose, ...of }: GrantProps) {
  return (
    <Dialog title={words.grantTitle} wide onClosed={onClose}>
      {(close) => <GrantForm {...of} onClose={close} />}
    </Dialog>
  );
}

function GrantForm({ request, exception, onClose }: GrantProps) {
  const write = useTenantWrite();
  const reload = useReload();
  const [choice, setChoice] = useState<(typeof CHOICES)[number]>('day');
  const [until, setUntil] = useState('');
  const [reason, setReason] = useState('');
  const [openedMs] = useState(() => Date.now());
  // Computed when first sent, so that a retry after a lost response is the same grant.
  const [ends] = useState(() => new Map<string, string>());
  const chosen = choice === 'until' ? fromLocalInput(until) : null;
  const isBad = choice === 'until' && (chosen === null || Date.parse(chosen) <= openedMs);
  const previewed = useMemo(
    () =>
      isBad
        ? null
        : {
            match: exception.match,
            approval_status: 'approved' as const,
            execution_policy: 'allow' as const,
            scope: { kind: 'device' as const, device_id: request.device_id },
            expires_at:
              choice === 'until' ? chosen : new Date(openedMs + SPANS[choice]).toISOString(),
          },
    [isBad, choice, chosen, openedMs, exception.match, request.device_id],
  );
  const preview = usePreview(previewed, null);
  const grant = useMutation({
    mutationFn: () => {
      // The duration starts with the grant, not when the dialog opens.
      if (choice !== 'until' && !ends.has(choice)) {
        ends.set(choice, new Date(Date.now() + SPANS[choice]).toISOString());
      }
      return write<AccessRequestAnswer>(
        'POST',
        `/access-requests/${request.access_request_id}/grant`,
        {
          ifMatch: request.version,
          body: {
            match: exception.match,
            expires_at: choice === 'until' ? chosen : ends.get(choice),
            reason: reason.trim() === '' ? null : reason.trim(),
          },
        },
      );
    },
    onSuccess: () => {
      reload('access-requests');
      reload('overrides');
      notifications.show({ color: 'teal', message: words.granted });
      onClose();
    },
  });
  return (
    <form
      className="gw-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (preview.state === 'shown') grant.mutate();
      }}
    >
      <div>
        <strong>
          <Name value={aboutRequest(request)} clamp />
        </strong>
        <p className="gw-dimmed gw-flat">
          <Name value={request.reason} />
        </p>
      </div>
      <Radio.Group
        label={words.grantFor}
        value={choice}
        onChange={(value) => {
          setChoice(oneOf(CHOICES, value) ?? 'day');
        }}
      >
        <div className="gw-radios">
          {CHOICES.map((item) => (
            <Radio key={item} value={item} label={words.spans[item]} />
          ))}
        </div>
      </Radio.Group>
      {choice === 'until' ? (
        <TextInput
          type="datetime-local"
          label={words.until}
          value={until}
          error={isBad ? words.untilNeeded : undefined}
          onChange={(event) => {
            setUntil(event.currentTarget.value);
          }}
        />
      ) : null}
      <Textarea
        label={words.grantReason}
        autosize
        minRows={2}
        maxLength={2000}
        value={reason}
        onChange={(event) => {
          setReason(event.currentTarget.value);
        }}
      />
      <PreviewBox preview={preview} />
      <Overtaken error={grant.error} request={request} />
      <div className="gw-form-end">
        <Button variant="default" onClick={onClose}>
          {texts.ui.cancel}
        </Button>
        <Button type="submit" disabled={preview.state !== 'shown'} loading={grant.isPending}>
          {words.grantSubmit}
        </Button>
      </div>
    </form>
  );
}
