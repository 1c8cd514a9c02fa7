// Dialogs of an administrator that change the role of a user, or disable the user.
import type { UserAnswer, UserPatch, UserRow } from '@gatewarden/shared/wire/console/users.ts';
import { ROLES, type Role } from '@gatewarden/shared/wire/vocabulary.ts';
import { Button, Radio } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, isStatus } from '../api/client.ts';
import { oneOf } from '../api/query-string.ts';
import { useReload, useTenantRead, useTenantWrite } from '../api/tenant.ts';
import { texts } from '../texts.ts';
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { Refusal } from '../ui/Refusal.tsx';
import { settingsTexts } from './texts.ts';
import '../policies/policies.css';

const words = settingsTexts.people;

/** Changes a user in the version that was opened. */
export function useChangeUser() {
  const write = useTenantWrite();
  return (user: UserRow, body: UserPatch) =>
    write<UserAnswer>('PATCH', `/users/${user.user_id}`, { body, ifMatch: user.version });
}

interface PersonDialogProps {
  user: UserRow;
  onClosed: () => void;
}

export function DisablePerson({ user, onClosed }: PersonDialogProps) {
  const change = useChangeUser();
  const reload = useReload();
  return (
    <ConfirmDialog
      title={words.disableTitle}
      name={user.email}
      text={words.disableText}
      action={words.disable}
      done={words.disabled}
      run={() => change(user, { disabled: true })}
      onClose={onClosed}
      onDone={() => reload('people')}
    />
  );
}

export function ChangeRole({ user, onClosed }: PersonDialogProps) {
  return (
    <Dialog title={words.changeOf(user.email)} onClosed={onClosed}>
      {(close) => <RoleForm user={user} onClose={close} />}
    </Dialog>
  );
}

const isLastAdmin = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'last_administrator';

function RoleForm({ user, onClose }: { user: UserRow; onClose: () => void }) {
  const change = useChangeUser();
  const read = useTenantRead();
  const reload = useReload();
  const [role, setRole] = useState<Role>(user.given_role);
  // The user as last seen, so that a concurrent change is shown before it is overwritten.
  const [seen, setSeen] = useState(user);
  const store = useMutation({
    mutationFn: async () => {
      try {
        await change(seen, { role });
      } catch (error) {
        if (!isStatus(error, 412)) throw error;
        const now = (await read<UserAnswer>(`/users/${user.user_id}`)).user;
        setSeen(now);
        // A first attempt is no conflict when only its response was lost.
        if (now.given_role !== role) throw error;
      }
    },
    onSuccess: () => {
      notifications.show({ color: 'teal', message: words.changed });
      onClose();
    },
    onSettled: () => reload('people'),
  });
  return (
    <form
      className="gw-form"
      onSubmit={(event) => {
        event.preventDefault();
        store.mutate();
      }}
    >
      {seen.role === seen.given_role ? null : (
        <p className="gw-flat gw-small">{words.lifted(seen.role)}</p>
      )}
      <Radio.Group
        label={words.role}
        value={role}
        onChange={(value) => setRole(oneOf(ROLES, value) ?? role)}
      >
        <div className="gw-stack gw-tight">
          {ROLES.map((value, index) => (
            <Radio
              key={value}
              value={value}
              label={words.roles[value]}
              {...(index === 0 ? { 'data-autofocus': true } : {})}
            />
          ))}
        </div>
      </Radio.Group>
      <Refusal
        error={store.error}
        conflict={`${texts.ui.changedMeanwhile} ${words.roleNow(seen.given_role)}`}
        known={isLastAdmin(store.error) ? words.lastAdmin : null}
      />
      <div className="gw-form-end">
        <Button variant="default" onClick={onClose}>
          {texts.ui.cancel}
        </Button>
        <Button type="submit" loading={store.isPending} disabled={role === seen.given_role}>
          {words.change}
        </Button>
      </div>
    </form>
  );
}
