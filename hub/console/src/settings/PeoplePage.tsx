// Who may sign in and as what: roles, the way out and back in, and where each person is signed in.
import type { UserRow } from '@gatewarden/shared/wire/console/users.ts';
import { ROLES } from '@gatewarden/shared/wire/vocabulary.ts';
import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useList, useReload, useTenant } from '../api/tenant.ts';
import { useSignedIn } from '../app/SignedIn.tsx';
import { texts } from '../texts.ts';
import { Badge } from '../ui/Badges.tsx';
import type { Column } from '../ui/DataTable.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { Filter } from '../ui/Filter.tsx';
import { Empty, ListView } from '../ui/ListView.tsx';
import { SearchBox } from '../ui/SearchBox.tsx';
import { Time } from '../ui/Time.tsx';
import { AdminsOnly } from './AdminsOnly.tsx';
import { ChangeRole, DisablePerson, useChange } from './PersonDialogs.tsx';
import { Sessions } from './Sessions.tsx';
import { settingsTexts } from './texts.ts';
import { USER_STATES } from './user-states.ts';
import '../decisions/decisions.css';
import { UserLink } from '../users/UserLink.tsx';
import { Adding, refusalOf } from './AddPerson.tsx';

const words = settingsTexts.people;
const route = getRouteApi('/t/$tenantId/settings/users');

export function PeoplePage() {
  return (
    <AdminsOnly title={words.title} lead={words.lead}>
      <People />
    </AdminsOnly>
  );
}

type Opened = { what: 'role' | 'disable'; user: UserRow } | null;

function People() {
  const search = route.useSearch();
  // Not in the row: it goes when the person's role or state is another one, and what is being chosen would go with it.
  const [opened, setOpened] = useState<Opened>(null);
  const close = () => setOpened(null);
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
          columns={[...COLUMNS, actions(setOpened)]}
          rowKey={(row) => row.user_id}
          rowTestId="user-row"
          dense
          empty={
            isFiltered ? (
              <Empty title={texts.ui.noMatch} />
            ) : (
              <Empty title={words.empty} text={words.emptyText} />
            )
          }
        />
        <Adding />
      </div>
      {opened?.what === 'role' ? <ChangeRole user={opened.user} onClosed={close} /> : null}
      {opened?.what === 'disable' ? <DisablePerson user={opened.user} onClosed={close} /> : null}
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
  { key: 'role', weight: 0.8, header: words.role, render: (row) => <RoleOf user={row} /> },
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
];

const actions = (onOpen: (opened: Opened) => void): Column<UserRow> => ({
  key: 'actions',
  weight: 1.6,
  header: texts.ui.actions,
  hiddenHeader: true,
  align: 'end',
  render: (row) => <UserActions user={row} onOpen={onOpen} />,
});

function RoleOf({ user }: { user: UserRow }) {
  const { role, given_role: given } = user;
  return (
    <div>
      {words.roleNames[role]}
      {role === given ? null : <div className="gw-dimmed gw-small">{words.byGroup(given)}</div>}
    </div>
  );
}

/** The person who looks: nobody takes their own role away by a slip. */
function useIsSelf(user: UserRow): boolean {
  const { tenantId } = useTenant();
  return useSignedIn().tenants.some(
    (item) => item.tenant_id === tenantId && item.user_id === user.user_id,
  );
}

function PersonName({ user }: { user: UserRow }) {
  const isSelf = useIsSelf(user);
  return (
    <div>
      <UserLink value={user.email} />
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

interface UserActionsProps {
  user: UserRow;
  onOpen: (opened: Opened) => void;
}

function UserActions({ user, onOpen }: UserActionsProps) {
  const isSelf = useIsSelf(user);
  const change = useChange();
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
                notifications.show({ color: 'red', message: refusalOf(error) }),
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
