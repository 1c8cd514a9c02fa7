// Dialogs that create, edit and delete a notification channel, and rotate its signing secret.
import type {
  NotificationChannel,
  NotificationChannelAnswer,
  NotificationChannelSecretAnswer,
} from '@gatewarden/shared/wire/console/notification-channels.ts';
import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { isStatus } from '../api/client.ts';
import { useSentOnce } from '../api/idempotency.ts';
import { withoutUnknown } from '../api/older-hub.ts';
import { useTenantRead, useTenantWrite } from '../api/tenant.ts';
import { ConflictBox } from '../policies/ConflictBox.tsx';
import { texts } from '../texts.ts';
import { useAsAsked } from '../ui/as-asked.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { ErrorPanel } from '../ui/ErrorPanel.tsx';
import { Name } from '../ui/Name.tsx';
import { SecretBox } from '../ui/SecretBox.tsx';
import { ChannelForm } from './ChannelForm.tsx';
import { toInput, toPatch } from './channel-values.ts';
import { useInvalidateChannels } from './invalidate-channels.ts';

interface DialogProps {
  channel: NotificationChannel;
  onClose: () => void;
}

export function NewChannel({ onClose }: { onClose: () => void }) {
  const write = useTenantWrite();
  const invalidateChannels = useInvalidateChannels();
  const read = useTenantRead();
  const once = useSentOnce();
  const [secret, setSecret] = useState<string | null>(null);
  /** Loads the channel of a request whose response was lost. Its secret can't be read again, so it is rotated. */
  const loadStoredChannel = async (id: string): Promise<NotificationChannelSecretAnswer> => {
    const stored = await read<NotificationChannelAnswer>(`/alert-routes/${id}`);
    if (stored.route.kind !== 'webhook') return { ...stored, secret: null };
    return write<NotificationChannelSecretAnswer>('POST', `/alert-routes/${id}/rotate-secret`, {
      body: { overlap_hours: 0 },
      ifMatch: stored.route.version,
    });
  };
  return (
    <Dialog title={texts.channels.newTitle} onClosed={onClose}>
      {(close) =>
        secret === null ? (
          <ChannelForm
            original={null}
            submitText={texts.channels.create}
            onCancel={close}
            save={async (values) => {
              const input = toInput(values);
              const created = await once<NotificationChannelSecretAnswer>(
                input,
                (id) =>
                  withoutUnknown('route_id', { ...input, route_id: id }, (body) =>
                    write('POST', '/alert-routes', { body }),
                  ),
                loadStoredChannel,
              );
              void invalidateChannels();
              notifications.show({ color: 'teal', message: texts.channels.created });
              if (created.secret === null) close();
              else setSecret(created.secret);
            }}
          />
        ) : (
          <SecretBox
            label={texts.channels.secret}
            hint={texts.channels.secretHint}
            secret={secret}
            note={texts.channels.secretOnce}
            onDone={close}
          />
        )
      }
    </Dialog>
  );
}

export function EditChannel({ channel, onClose }: DialogProps) {
  const write = useTenantWrite();
  const invalidateChannels = useInvalidateChannels();
  return (
    <Dialog title={texts.channels.editTitle} onClosed={onClose}>
      {(close) => (
        <ChannelForm
          original={channel}
          submitText={texts.channels.store}
          onCancel={close}
          save={async (values, latest) => {
            const edited = latest ?? channel;
            await write<NotificationChannelAnswer>('PATCH', `/alert-routes/${edited.route_id}`, {
              body: toPatch(values, edited),
              ifMatch: edited.version,
            });
            void invalidateChannels();
            notifications.show({ color: 'teal', message: texts.channels.stored });
            close();
          }}
        />
      )}
    </Dialog>
  );
}

export function RotateSecret({ channel, onClose }: DialogProps) {
  const write = useTenantWrite();
  const invalidateChannels = useInvalidateChannels();
  const once = useSentOnce();
  const rotate = useMutation({
    mutationFn: () =>
      // A repeated rotation keeps its id: a second rotation would invalidate the secret that receivers still use.
      once({}, (rotationId) =>
        withoutUnknown('rotation_id', { rotation_id: rotationId }, (body) =>
          write<NotificationChannelSecretAnswer>(
            'POST',
            `/alert-routes/${channel.route_id}/rotate-secret`,
            {
              body,
              ifMatch: channel.version,
            },
          ),
        ),
      ),
    onSettled: () => void invalidateChannels(),
  });
  const secret = rotate.data?.secret ?? null;
  return (
    <Dialog title={texts.channels.rotateTitle} onClosed={onClose}>
      {(close) =>
        secret === null ? (
          <Confirm
            text={texts.channels.rotateText}
            action={texts.channels.rotate}
            pending={rotate.isPending}
            error={rotate.error}
            onConfirm={rotate.mutate}
            onCancel={close}
          />
        ) : (
          <SecretBox
            label={texts.channels.secret}
            hint={texts.channels.secretHint}
            secret={secret}
            note={texts.channels.rotated}
            onDone={close}
          />
        )
      }
    </Dialog>
  );
}

export function DeleteChannel({
  channel,
  onClose,
  onDeleted,
}: DialogProps & { onDeleted: () => void }) {
  const write = useTenantWrite();
  const invalidateChannels = useInvalidateChannels();
  const remove = useMutation({
    mutationFn: ({ route_id, version }: typeof channel) =>
      write('DELETE', `/alert-routes/${route_id}`, { ifMatch: version }),
    onSuccess: () => {
      notifications.show({ color: 'teal', message: texts.channels.deleted });
      onDeleted();
    },
    onSettled: () => void invalidateChannels(),
  });
  const shown = useAsAsked(channel, remove.error);
  return (
    <Dialog title={texts.channels.deleteTitle} onClosed={onClose}>
      {(close) => (
        <Confirm
          name={shown.name}
          text={texts.channels.deleteText}
          action={texts.channels.delete}
          color="red"
          pending={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate(shown)}
          onCancel={close}
        />
      )}
    </Dialog>
  );
}

interface ConfirmProps {
  name?: string;
  text: string;
  action: string;
  color?: string;
  pending: boolean;
  error: unknown;
  onConfirm: () => void;
  onCancel: () => void;
}

function Confirm(props: ConfirmProps) {
  const { name, text, action, color, pending, error, onConfirm, onCancel } = props;
  return (
    <div className="gw-form">
      {name === undefined ? null : (
        <strong>
          <Name value={name} />
        </strong>
      )}
      <p className="gw-dimmed gw-flat">{text}</p>
      {isStatus(error, 412) ? <Conflict /> : null}
      {error === null || isStatus(error, 412) ? null : (
        <ErrorPanel error={error} title={texts.errors.notSaved} />
      )}
      <div className="gw-form-end">
        <Button variant="default" onClick={onCancel} data-autofocus>
          {texts.ui.cancel}
        </Button>
        <Button
          {...(color === undefined ? {} : { color })}
          loading={pending}
          onClick={() => {
            onConfirm();
          }}
        >
          {action}
        </Button>
      </div>
    </div>
  );
}

function Conflict() {
  return (
    <ConflictBox title={texts.channels.conflictTitle}>
      <p>{texts.channels.conflictText}</p>
    </ConflictBox>
  );
}
