// Who may sign in and as what: roles, the way out and back in, and where each person is signed in.
import type {
  LoginProviderAnswer,
  UserAnswer,
  UserInput,
  UserPatch,
  UserRow,
} from '@gatewarden/shared/wire/console/users.ts';
import { ROLES, type Role } from '@gatewarden/shared/wire/vocabulary.ts';
import { Button, NativeSelect, Radio, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiError, isStatus } from '../api/client.ts';
import { oneOf } from '../api/query-string.ts';
import { useList, useReload, useResource, useTenant, useTenantWrite } from '../api/tenant.ts';
import { useSignedIn } from '../app/SignedIn.tsx';
import { texts } from '../texts.ts';
import { Badge } from '../ui/Badges.tsx';
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx';
import { CopyBlock } from '../ui/CopyBlock.tsx';
import type { Column } from '../ui/DataTable.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { ErrorPanel } from '../ui/ErrorPanel.tsx';
import { Filter } from '../ui/Filter.tsx';
import { Empty, ListView } from '../ui/ListView.tsx';
import { Name } from '../ui/Name.tsx';
import { Section } from '../ui/Page.tsx';
import { Refusal } from '../ui/Refusal.tsx';
import { SearchBox } from '../ui/SearchBox.tsx';
import { Time } from '../ui/Time.tsx';
import { AdminsOnly } from './AdminsOnly.tsx';
import { EraseSomebody } from './EraseSomebody.tsx';
import { Sessions } from './Sessions.tsx';
import { settingsTexts } from './texts.ts';
import { USER_STATES } from './user-states.ts';
import '../decisions/decisions.css';

const words = settingsTexts.people;
const route = getRouteApi('/t/$tenantId/people');

export function PeoplePage() {
  return (
    <AdminsOnly title={words.title} lead={words.lead}>
      <People />
    </AdminsOnly>
  );
}

function People() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const list = useList<UserRow>('people', '/users', search);
  const set = (part: Partial<typeof search>) =>
    void navigate({ search: (former) => ({ ...former, ...part }), replace: true });
  const isFiltered = Object.values(search).some((chosen) => chosen !== undefined);
  return (
    <>
      <div className="gw-filters">
        <SearchBox
          label={words.search}
          placeholder={words.searchPlaceholder}
          value={search.query}
          onChange={(query) => set({ query })}
        />
        <Filter
          label={words.role}
          values={ROLES}
          names={words.roleNames}
          value={search.role}
          onChange={(role) => set({ role })}
        />
        <Filter
          label={words.state}
          values={USER_STATES}
          names={words.states}
          value={search.state}
          onChange={(state) => set({ state })}
        />
      </div>
      <div className="gw-stack">
        <ListView
          list={list}
          caption={words.title}
          columns={COLUMNS}
          rowKey={(row) => row.user_id}
          rowTestId="user-row"
          empty={
            isFiltered ? (
              <Empty title={texts.ui.noMatch} />
            ) : (
              <Empty title={words.empty} text={words.emptyText} />
            )
          }
        />
        <Adding />
        <EraseSomebody />
      </div>
    </>
  );
}

const COLUMNS: readonly Column<UserRow>[] = [
  {
    key: 'person',
    weight: 2,
    header: words.person,
    render: (row) => <PersonName user={row} />,
  },
  { key: 'role', weight: 0.8, header: words.role, render: (row) => words.roleNames[row.role] },
  {
    key: 'state',
    header: words.state,
    render: (row) => (
      <Badge tone={row.state === 'enabled' ? 'good' : 'plain'} dot>
        {words.states[row.state]}
      </Badge>
    ),
  },
  { key: 'last', header: words.lastSignIn, render: (row) => <Time at={row.last_sign_in_at} /> },
  {
    key: 'sessions',
    weight: 0.8,
    header: words.sessions,
    render: (row) => <SessionCount user={row} />,
  },
  {
    key: 'actions',
    weight: 1.6,
    header: texts.ui.actions,
    hiddenHeader: true,
    align: 'end',
    render: (row) => <UserActions user={row} />,
  },
];

/** The person who looks: nobody takes their own role away by a slip. */
function useIsSelf(user: UserRow): boolean {
  const { tenantId } = useTenant();
  return useSignedIn().tenants.some(
    (one) => one.tenant_id === tenantId && one.user_id === user.user_id,
  );
}

function PersonName({ user }: { user: UserRow }) {
  const isSelf = useIsSelf(user);
  return (
    <div>
      <Name value={user.email} clamp />
      {isSelf ? (
        <span className="gw-inline-badges">
          <Badge tone="info">{words.you}</Badge>
        </span>
      ) : null}
    </div>
  );
}

function SessionCount({ user }: { user: UserRow }) {
  const [isOpen, setOpen] = useState(false);
  if (user.sessions === 0) return <span className="gw-dimmed">0</span>;
  return (
    <>
      <Button
        size="xs"
        variant="default"
        aria-label={`${words.sessionsOf(user.email)}: ${user.sessions}`}
        onClick={() => setOpen(true)}
      >
        {user.sessions}
      </Button>
      {isOpen ? (
        <Dialog title={words.sessionsOf(user.email)} wide onClosed={() => setOpen(false)}>
          {() => (
            <Sessions
              path="/sessions"
              userId={user.user_id}
              emptyText={settingsTexts.sessions.emptyOf}
              bare
            />
          )}
        </Dialog>
      ) : null}
    </>
  );
}

function UserActions({ user }: { user: UserRow }) {
  const isSelf = useIsSelf(user);
  const write = useTenantWrite();
  const reload = useReload();
  const [opened, setOpened] = useState<'role' | 'disable' | 'enable' | null>(null);
  const change = (body: UserPatch) =>
    write<UserAnswer>('PATCH', `/users/${user.user_id}`, { body, ifMatch: user.version });
  const close = () => setOpened(null);
  const after = () => reload('people');
  if (isSelf) return null;
  return (
    <div className="gw-row-actions">
      {user.state === 'enabled' ? (
        <>
          <Button
            size="xs"
            variant="default"
            aria-label={words.changeOf(user.email)}
            onClick={() => setOpened('role')}
          >
            {words.change}
          </Button>
          <Button
            size="xs"
            variant="default"
            aria-label={words.disableOf(user.email)}
            onClick={() => setOpened('disable')}
          >
            {words.disable}
          </Button>
        </>
      ) : (
        <Button
          size="xs"
          variant="default"
          aria-label={words.enableOf(user.email)}
          onClick={() =>
            void change({ disabled: false })
              .then(() => notifications.show({ color: 'teal', message: words.enabled }))
              .catch((error: unknown) =>
                notifications.show({ color: 'red', message: refusalOf(error) }),
              )
              .finally(after)
          }
        >
          {words.enable}
        </Button>
      )}
      {opened === 'role' ? (
        <Dialog title={words.changeOf(user.email)} onClosed={close}>
          {(done) => <RoleForm user={user} change={change} onDone={after} onClose={done} />}
        </Dialog>
      ) : null}
      {opened === 'disable' ? (
        <ConfirmDialog
          title={words.disableTitle}
          name={user.email}
          text={words.disableText}
          action={words.disable}
          done={words.disabled}
          run={() => change({ disabled: true })}
          onClose={close}
          onDone={after}
        />
      ) : null}
    </div>
  );
}

const isLastAdmin = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'last_administrator';

const refusalOf = (error: unknown): string =>
  isStatus(error, 412) ? texts.ui.changedMeanwhile : texts.errors.notSaved;

interface RoleFormProps {
  user: UserRow;
  change: (body: UserPatch) => Promise<unknown>;
  onDone: () => void;
  onClose: () => void;
}

function RoleForm({ user, change, onDone, onClose }: RoleFormProps) {
  const [role, setRole] = useState<Role>(user.role);
  const store = useMutation({
    mutationFn: () => change({ role }),
    onSuccess: () => {
      notifications.show({ color: 'teal', message: words.changed });
      onClose();
    },
    onSettled: onDone,
  });
  return (
    <form
      className="gw-form"
      onSubmit={(event) => {
        event.preventDefault();
        store.mutate();
      }}
    >
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
        conflict={texts.ui.changedMeanwhile}
        known={isLastAdmin(store.error) ? words.lastAdmin : null}
      />
      <div className="gw-form-end">
        <Button variant="default" onClick={onClose}>
          {texts.ui.cancel}
        </Button>
        <Button type="submit" loading={store.isPending} disabled={role === user.role}>
          {words.change}
        </Button>
      </div>
    </form>
  );
}

/** Who signs in at one's own provider needs no password here. */
function AddPerson() {
  const write = useTenantWrite();
  const reload = useReload();
  const form = useForm({ initialValues: { email: '', role: 'Viewer' as Role } });
  const add = useMutation({
    mutationFn: (body: UserInput) => write<UserAnswer>('POST', '/users', { body }),
    onSuccess: async ({ user }) => {
      form.reset();
      notifications.show({ color: 'teal', message: words.added(user.email) });
      await reload('people');
    },
  });
  return (
    <form
      className="gw-form"
      onSubmit={form.onSubmit(({ email, role }) => add.mutate({ email: email.trim(), role }))}
    >
      <div className="gw-form-pair">
        <TextInput
          type="email"
          required
          maxLength={320}
          label={words.email}
          {...form.getInputProps('email')}
        />
        <NativeSelect
          label={words.role}
          data={ROLES.map((value) => ({ value, label: words.roles[value] }))}
          {...form.getInputProps('role')}
        />
      </div>
      {add.isError ? <ErrorPanel error={add.error} title={texts.errors.notSaved} /> : null}
      <div className="gw-form-end">
        <Button type="submit" loading={add.isPending}>
          {words.add}
        </Button>
      </div>
    </form>
  );
}

function Adding() {
  const { tenantId } = useTenant();
  const answer = useResource<LoginProviderAnswer>('people', '/login-provider');
  const provider = answer.data?.provider;
  if (provider === undefined) return null;
  const isEmbedded = provider.kind === 'embedded';
  return (
    <Section title={words.addTitle}>
      <p className="gw-flat">{isEmbedded ? words.addEmbedded : words.addOpenid}</p>
      {isEmbedded ? (
        <CopyBlock label={words.addTitle} text={words.addCommand(tenantId)} />
      ) : (
        <AddPerson />
      )}
      <p className="gw-flat gw-dimmed gw-small">{words.roleOrigin}</p>
    </Section>
  );
}
