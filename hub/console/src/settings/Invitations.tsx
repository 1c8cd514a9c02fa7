// Invites users by e-mail address and role, and lists pending invitations.
import type {
  InvitationIssued,
  InvitationRow,
} from '@gatewarden/shared/wire/console/invitations.ts';
import { ROLES, type Role } from '@gatewarden/shared/wire/vocabulary.ts';
import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { rowsOf, useList, useReload, useTenantWrite } from '../api/tenant.ts';
import { texts } from '../texts.ts';
import { Badge } from '../ui/Badges.tsx';
import { ConfirmButton } from '../ui/ConfirmButton.tsx';
import type { Column } from '../ui/DataTable.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { ErrorPanel } from '../ui/ErrorPanel.tsx';
import { Empty, ListView } from '../ui/ListView.tsx';
import { Section } from '../ui/Page.tsx';
import { SecretBox } from '../ui/SecretBox.tsx';
import { Time } from '../ui/Time.tsx';
import { UserLink } from '../users/UserLink.tsx';
import { invitationTexts as t } from './invitation-texts.ts';
import { settingsTexts } from './texts.ts';

const { roles, roleNames, roleOrigin } = settingsTexts.people;

/** The button that opens the invitation form. */
export function InviteButton() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button size="xs" onClick={() => setOpen(true)}>
        {t.invite}
      </Button>
      {isOpen ? (
        <Dialog title={t.title} onClosed={() => setOpen(false)}>
          {(close) => <InviteUser onClose={close} />}
        </Dialog>
      ) : null}
    </>
  );
}

function InviteUser({ onClose }: { onClose: () => void }) {
  const write = useTenantWrite();
  const reload = useReload();
  const form = useForm({ initialValues: { email: '', role: 'Viewer' as Role } });
  const invite = useMutation({
    mutationFn: (body: { email: string; role: Role }) =>
      write<InvitationIssued>('POST', '/invitations', { body }),
    onSettled: () => reload('people'),
  });
  if (invite.data !== undefined) return <InvitationLink issued={invite.data} onDone={onClose} />;
  return (
    <form
      className="gw-form"
      onSubmit={form.onSubmit(({ email, role }) => invite.mutate({ email: email.trim(), role }))}
    >
      <p className="gw-flat">{t.text}</p>
      <TextInput
        type="email"
        required
        maxLength={320}
        label={t.email}
        data-autofocus
        {...form.getInputProps('email')}
      />
      <NativeSelect
        label={t.role}
        data={ROLES.map((value) => ({ value, label: roles[value] }))}
        {...form.getInputProps('role')}
      />
      <p className="gw-flat gw-dimmed gw-small">{roleOrigin}</p>
      {invite.isError ? <ErrorPanel error={invite.error} title={t.failed} /> : null}
      <div className="gw-form-end">
        <Button variant="default" onClick={onClose}>
          {texts.ui.cancel}
        </Button>
        <Button type="submit" loading={invite.isPending}>
          {t.invite}
        </Button>
      </div>
    </form>
  );
}

function InvitationLink({ issued, onDone }: { issued: InvitationIssued; onDone: () => void }) {
  const { email } = issued.invitation;
  return (
    <SecretBox
      label={t.linkOf(email)}
      hint={t.linkHint}
      note={issued.is_mailed ? t.mailed(email) : t.notMailed(email)}
      secret={issued.link}
      onDone={onDone}
    />
  );
}

/** The pending invitations; renders nothing without any. */
export function OpenInvitations() {
  const list = useList<InvitationRow>('people', '/invitations');
  if (rowsOf(list).length === 0) return null;
  return (
    <Section title={t.open}>
      <ListView
        bare
        list={list}
        caption={t.open}
        columns={COLUMNS}
        rowKey={(row) => row.invitation_id}
        rowTestId="invitation-row"
        empty={<Empty title={t.none} />}
      />
    </Section>
  );
}

const COLUMNS: readonly Column<InvitationRow>[] = [
  {
    key: 'email',
    weight: 2,
    header: t.email,
    render: (row) => <UserLink value={row.email} />,
  },
  { key: 'role', header: t.role, render: (row) => roleNames[row.role] },
  {
    key: 'state',
    header: t.state,
    render: (row) => (
      <Badge tone={row.state === 'pending' ? 'info' : 'plain'} dot>
        {t.states[row.state]}
      </Badge>
    ),
  },
  {
    key: 'by',
    weight: 1.6,
    header: t.by,
    render: (row) => <UserLink value={row.created_by} isIdentity />,
  },
  { key: 'expires', header: t.expires, render: (row) => <Time at={row.expires_at} /> },
  {
    key: 'actions',
    header: texts.ui.actions,
    hiddenHeader: true,
    align: 'end',
    render: (row) => <Revoke invitation={row} />,
  },
];

function Revoke({ invitation }: { invitation: InvitationRow }) {
  const write = useTenantWrite();
  const reload = useReload();
  return (
    <ConfirmButton
      label={t.revokeOf(invitation.email)}
      title={t.revokeTitle}
      name={invitation.email}
      text={t.revokeText}
      action={t.revoke}
      done={t.revoked}
      run={() => write('DELETE', `/invitations/${invitation.invitation_id}`)}
      onDone={() => reload('people')}
    />
  );
}
