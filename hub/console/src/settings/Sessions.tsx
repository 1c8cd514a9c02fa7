// Sessions with a button to end each: the signed-in user's own, or a user's for administrators.
import type { SessionRow } from '@gatewarden/shared/wire/console/users.ts';
import { reloadSignedOut } from '../api/session.ts';
import { useList, useReload, useTenantWrite } from '../api/tenant.ts';
import { texts } from '../texts.ts';
import { Badge } from '../ui/Badges.tsx';
import { ConfirmButton } from '../ui/ConfirmButton.tsx';
import type { Column } from '../ui/DataTable.tsx';
import { Empty, ListView } from '../ui/ListView.tsx';
import { Name } from '../ui/Name.tsx';
import { Page } from '../ui/Page.tsx';
import { Time } from '../ui/Time.tsx';
import { OwnPassword } from './OwnPassword.tsx';
import { settingsTexts } from './texts.ts';

const words = settingsTexts.sessions;

export function MySessionsPage() {
  return (
    <Page title={words.title} lead={words.lead}>
      <div className="gw-stack">
        <Sessions path="/own/sessions" emptyText={words.emptyText} />
        <OwnPassword />
      </div>
    </Page>
  );
}

interface SessionsProps {
  path: '/own/sessions' | '/sessions';
  userId?: string;
  emptyText: string;
  bare?: boolean;
}

export function Sessions({ path, userId, emptyText, bare = false }: SessionsProps) {
  const list = useList<SessionRow>('people', path, userId === undefined ? {} : { user_id: userId });
  return (
    <ListView
      list={list}
      bare={bare}
      caption={words.title}
      rowKey={(row) => row.session_id}
      rowTestId="session-row"
      empty={<Empty title={words.empty} text={emptyText} />}
      columns={[
        ...COLUMNS,
        {
          key: 'actions',
          header: texts.ui.actions,
          hiddenHeader: true,
          align: 'end',
          render: (row) => <EndSession session={row} path={path} />,
        },
      ]}
    />
  );
}

const COLUMNS: readonly Column<SessionRow>[] = [
  {
    key: 'browser',
    weight: 2.4,
    header: words.browser,
    render: (row) => (
      <div>
        <Name value={row.user_agent === '' ? words.noBrowser : row.user_agent} clamp />
        {row.source_address === null ? null : (
          <div className="gw-dimmed gw-small">{words.from(row.source_address)}</div>
        )}
        {row.current ? (
          <span className="gw-inline-badges">
            <Badge tone="info">{words.current}</Badge>
          </span>
        ) : null}
      </div>
    ),
  },
  { key: 'since', header: words.since, render: (row) => <Time at={row.created_at} /> },
  { key: 'used', header: words.used, render: (row) => <Time at={row.last_used_at} /> },
  { key: 'ends', header: words.ends, render: (row) => <Time at={row.expires_at} /> },
];

function EndSession({ session, path }: { session: SessionRow; path: string }) {
  const write = useTenantWrite();
  const reload = useReload();
  const after = () => {
    if (session.current) reloadSignedOut();
    else reload('people');
  };
  return (
    <ConfirmButton
      label={words.endOf(session.user_agent || words.noBrowser)}
      title={words.endTitle}
      name={session.user_agent}
      text={
        session.current
          ? words.endOwnText
          : path === '/sessions'
            ? words.endHereText
            : words.endText
      }
      action={words.end}
      done={words.ended}
      run={() => write('DELETE', `${path}/${session.session_id}`)}
      onDone={after}
    />
  );
}
