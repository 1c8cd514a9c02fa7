// The dialogs of routes: make one, change one, give it a new secret, delete it.
import type {
  AlertRoute,
  AlertRouteAnswer,
  AlertRouteSecretAnswer,
} from '@gatewarden/shared/wire/console/alert-routes.ts';
import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { isStatus } from '../api/client.ts';
import { useSentOnce } from '../api/idempotency.ts';
import { withoutUnknown } from '../api/older-hub.ts';
import { useTenantRead, useTenantWrite } from '../api/tenant.ts';
import { ConflictBox } from '../decisions/ConflictBox.tsx';
import { texts } from '../texts.ts';
import { useAsAsked } from '../ui/as-asked.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { ErrorPanel } from '../ui/ErrorPanel.tsx';
import { Name } from '../ui/Name.tsx';
import { SecretBox } from '../ui/SecretBox.tsx';
import { useAfterRoute } from './after-route.ts';
import { RouteForm } from './RouteForm.tsx';
import { inputOf, patchOf } from './route-values.ts';

interface DialogProps {
  route: AlertRoute;
  onClose: () => void;
}

export function NewRoute({ onClose }: { onClose: () => void }) {
  const write = useTenantWrite();
  const afterRoute = useAfterRoute();
  const read = useTenantRead();
  const once = useSentOnce();
  const [secret, setSecret] = useState<string | null>(null);
  /** Of a first try whose answer was lost: its secret is told to nobody any more, and makes way for another. */
  const storedRoute = async (id: string): Promise<AlertRouteSecretAnswer> => {
    const found = await read<AlertRouteAnswer>(`/alert-routes/${id}`);
    if (found.route.kind !== 'webhook') return { ...found, secret: null };
    return write<AlertRouteSecretAnswer>('POST', `/alert-routes/${id}/rotate-secret`, {
      body: { overlap_hours: 0 },
      ifMatch: found.route.version,
    });
  };
  return (
    <Dialog title={texts.routes.newTitle} onClosed={onClose}>
      {(close) =>
        secret === null ? (
          <RouteForm
            original={null}
            submitText={texts.routes.create}
            onCancel={close}
            save={async (values) => {
              const input = inputOf(values);
              const made = await once<AlertRouteSecretAnswer>(
                input,
                (id) =>
                  withoutUnknown('route_id', { ...input, route_id: id }, (body) =>
                    write('POST', '/alert-routes', { body }),
                  ),
                storedRoute,
              );
              void afterRoute();
              notifications.show({ color: 'teal', message: texts.routes.created });
              if (made.secret === null) close();
              else setSecret(made.secret);
            }}
          />
        ) : (
          <SecretBox
            label={texts.routes.secret}
            hint={texts.routes.secretHint}
            secret={secret}
            note={texts.routes.secretOnce}
            onDone={close}
          />
        )
      }
    </Dialog>
  );
}

export function EditRoute({ route, onClose }: DialogProps) {
  const write = useTenantWrite();
  const afterRoute = useAfterRoute();
  return (
    <Dialog title={texts.routes.editTitle} onClosed={onClose}>
      {(close) => (
        <RouteForm
          original={route}
          submitText={texts.routes.store}
          onCancel={close}
          save={async (values, standing) => {
            const of = standing ?? route;
            await write<AlertRouteAnswer>('PATCH', `/alert-routes/${of.route_id}`, {
              body: patchOf(values, of),
              ifMatch: of.version,
            });
            void afterRoute();
            notifications.show({ color: 'teal', message: texts.routes.stored });
            close();
          }}
        />
      )}
    </Dialog>
  );
}

export function RotateSecret({ route, onClose }: DialogProps) {
  const write = useTenantWrite();
  const afterRoute = useAfterRoute();
  const once = useSentOnce();
  const rotate = useMutation({
    mutationFn: () =>
      // A second rotation would drop the secret that receivers still use for one that nobody has.
      once({}, (rotationId) =>
        withoutUnknown('rotation_id', { rotation_id: rotationId }, (body) =>
          write<AlertRouteSecretAnswer>('POST', `/alert-routes/${route.route_id}/rotate-secret`, {
            body,
            ifMatch: route.version,
          }),
        ),
      ),
    onSettled: () => void afterRoute(),
  });
  const secret = rotate.data?.secret ?? null;
  return (
    <Dialog title={texts.routes.rotateTitle} onClosed={onClose}>
      {(close) =>
        secret === null ? (
          <Confirm
            text={texts.routes.rotateText}
            action={texts.routes.rotate}
            pending={rotate.isPending}
            error={rotate.error}
            onConfirm={rotate.mutate}
            onCancel={close}
          />
        ) : (
          <SecretBox
            label={texts.routes.secret}
            hint={texts.routes.secretHint}
            secret={secret}
            note={texts.routes.rotated}
            onDone={close}
          />
        )
      }
    </Dialog>
  );
}

export function DeleteRoute({
  route,
  onClose,
  onDeleted,
}: DialogProps & { onDeleted: () => void }) {
  const write = useTenantWrite();
  const afterRoute = useAfterRoute();
  const remove = useMutation({
    mutationFn: ({ route_id, version }: typeof route) =>
      write('DELETE', `/alert-routes/${route_id}`, { ifMatch: version }),
    onSuccess: () => {
      notifications.show({ color: 'teal', message: texts.routes.deleted });
      onDeleted();
    },
    onSettled: () => void afterRoute(),
  });
  const shown = useAsAsked(route, remove.error);
  return (
    <Dialog title={texts.routes.deleteTitle} onClosed={onClose}>
      {(close) => (
        <Confirm
          name={shown.name}
          text={texts.routes.deleteText}
          action={texts.routes.delete}
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
    <ConflictBox title={texts.routes.conflictTitle}>
      <p>{texts.routes.conflictText}</p>
    </ConflictBox>
  );
}
