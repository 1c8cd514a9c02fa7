// The users of sign-in, devices, gateways, groups and access requests. Console users also have a role, a state and sessions.
import type { IdentityRow } from '@gatewarden/shared/wire/console/identity.ts';
import type { UserRow } from '@gatewarden/shared/wire/console/users.ts';
import { ROLES } from '@gatewarden/shared/wire/vocabulary.ts';
import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { isStatus } from '../api/client.ts';
import { oneOf } from '../api/query-string.ts';
import { useList, useReload, useTenant } from '../api/tenant.ts';
import { useSignedIn } from '../app/SignedIn.tsx';
import { texts } from '../texts.ts';
import { Badge } from '../ui/Badges.tsx';
import { Chips } from '../ui/Chips.tsx';
import type { Column } from '../ui/DataTable.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { noticeOf } from '../ui/ErrorPanel.tsx';
import { Filter } from '../ui/Filter.tsx';
import { Empty, ListView } from '../ui/ListView.tsx';
import { SearchBox } from '../ui/SearchBox.tsx';
import { Time } from '../ui/Time.tsx';
import { AdminsOnly } from './AdminsOnly.tsx';
import { InviteButton, OpenInvitations } from './Invitations.tsx';
import { ChangeRole, DisablePerson, useChangeUser } from './PersonDialogs.tsx';
import { Sessions } from './Sessions.tsx';
import { settingsTexts } from './texts.ts';
import { IDENTITY_KINDS, IDENTITY_SORTS, USER_STATES } from './user-states.ts';
import '../policies/policies.css';
import { UserLink } from '../users/UserLink.tsx';

const words = settingsTexts.people;

const conflictNotice = (error: unknown): string =>
  isStatus(error, 412) ? texts.ui.changedMeanwhile : noticeOf(error);

const route = getRouteApi('/t/$tenantId/settings/users');

export function PeoplePage() {
  return (
    <AdminsOnly title={words.title} lead={words.lead} actions={<InviteButton />}>
      <People />
    </AdminsOnly>
  );
}

type OpenDialog = { what: 'role' | 'disable'; user: UserRow } | null;

function People() {
  const search = route.useSearch();
  // The dialog is outside the row, because a concurrent change of the role or state may remove the row from the list.
  const [opened, setOpened] = useState<OpenDialog>(null);
  const close = () => setOpened(null);
  const navigate = route.useNavigate();
  const list = useList<IdentityRow>('people', '/identities', search);
  const set = (part: Partial<typeof search>) =>
    void navigate({ search: (former) => ({ ...former, ...part }), replace: true });
  const isFiltered = Object.entries(search).some(
    ([name, chosen]) => name !== 'sort' && chosen !== undefined,
  );
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
          label={words.kind}
          values={IDENTITY_KINDS}
          names={words.kinds}
          value={search.kind}
          onChange={(kind) => set({ kind })}
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
        <OpenInvitations />
        <ListView
          list={list}
          caption={words.title}
          columns={[...COLUMNS, actions(setOpened)]}
          rowKey={(row) => row.email}
          rowTestId="user-row"
          dense
          sort={{
            value: search.sort ?? 'email',
            onSort: (chosen) => {
              const sort = oneOf(IDENTITY_SORTS, chosen);
              set({ sort: sort === 'email' ? undefined : sort });
            },
          }}
          empty={
            isFiltered ? (
              <Empty title={texts.ui.noMatch} />
            ) : (
              <Empty title={words.empty} text={words.emptyText} />
            )
          }
        />
      </div>
      {opened?.what === 'role' ? <ChangeRole user={opened.user} onClosed={close} /> : null}
      {opened?.what === 'disable' ? <DisablePerson user={opened.user} onClosed={close} /> : null}
    </>
  );
}

const COLUMNS: readonly Column<IdentityRow>[] = [
  {
    key: 'person',
    weight: 2,
    header: words.person,
    sort: { value: 'email', direction: 'ascending', reverse: '-email' },
    render: (row) => <PersonName identity={row} />,
  },
  {
    key: 'kind',
    weight: 1.8,
    header: words.kind,
    render: (row) => (
      <Chips
        chips={row.kinds.map((kind) => ({ key: kind, label: words.kinds[kind], tone: 'plain' }))}
      />
    ),
  },
  {
    key: 'devices',
    weight: 0.7,
    header: words.devices,
    align: 'end',
    sort: { value: '-device_count', direction: 'descending', reverse: 'device_count' },
    render: (row) => <span className="gw-num">{row.device_count.toLocaleString()}</span>,
  },
  {
    key: 'role',
    weight: 0.8,
    header: words.role,
    render: ({ account }) => (account === null ? texts.ui.none : <RoleCell user={account} />),
  },
  {
    key: 'state',
    header: words.state,
    render: ({ account }) =>
      account === null ? (
        <span className="gw-dimmed">{words.noSignIn}</span>
      ) : (
        <Badge tone={account.state === 'enabled' ? 'good' : 'plain'} dot>
          {words.states[account.state]}
        </Badge>
      ),
  },
  {
    key: 'last',
    header: words.lastSeen,
    sort: { value: '-last_seen_at', direction: 'descending', reverse: 'last_seen_at' },
    render: ({ last_seen_at: seenAt }) => <Time at={seenAt} />,
  },
  {
    key: 'sessions',
    weight: 0.8,
    header: words.sessions,
    render: ({ account }) => (account === null ? null : <SessionCount user={account} />),
  },
];

const actions = (onOpen: (opened: OpenDialog) => void): Column<IdentityRow> => ({
  key: 'actions',
  weight: 1.6,
  header: texts.ui.actions,
  hiddenHeader: true,
  align: 'end',
  render: ({ account }) =>
    account === null ? null : <UserActions user={account} onOpen={onOpen} />,
});

function RoleCell({ user }: { user: UserRow }) {
  const { role, given_role: given } = user;
  return (
    <div>
      {words.roleNames[role]}
      {role === given ? null : <div className="gw-dimmed gw-small">{words.byGroup(given)}</div>}
    </div>
  );
}

/** Returns whether the user is the signed-in user: the page offers no change of an own role. */
function useIsSelf(user: UserRow | null): boolean {
  const { tenantId } = useTenant();
  const { tenants } = useSignedIn();
  if (user === null) return false;
  return tenants.some((item) => item.tenant_id === tenantId && item.user_id === user.user_id);
}

function PersonName({ identity }: { identity: IdentityRow }) {
  const isSelf = useIsSelf(identity.account);
  return (
    <span className="gw-text-and-chips">
      <UserLink value={identity.email} isIdentity />
      {isSelf ? <Badge tone="info">{words.you}</Badge> : null}
    </span>
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

interface UserActionsProps {
  user: UserRow;
  onOpen: (opened: OpenDialog) => void;
}

function UserActions({ user, onOpen }: UserActionsProps) {
  const isSelf = useIsSelf(user);
  const change = useChangeUser();
  const reload = useReload();
  if (isSelf) return null;
  return (
    <div className="gw-row-actions">
      {user.state === 'enabled' ? (
        <>
          <Button
            size="xs"
            variant="default"
            aria-label={words.changeOf(user.email)}
            onClick={() => onOpen({ what: 'role', user })}
          >
            {words.change}
          </Button>
          <Button
            size="xs"
            variant="default"
            aria-label={words.disableOf(user.email)}
            onClick={() => onOpen({ what: 'disable', user })}
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
            void change(user, { disabled: false })
              .then(() => notifications.show({ color: 'teal', message: words.enabled }))
              .catch((error: unknown) =>
                notifications.show({ color: 'red', message: conflictNotice(error) }),
              )
              .finally(() => reload('people'))
          }
        >
          {words.enable}
        </Button>
      )}
    </div>
  );
}
