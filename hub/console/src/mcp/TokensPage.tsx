// The credentials of all users for the gateway: signed-in clients, connections with servers, and direct tokens.
import type { Grant } from '@gatewarden/shared/wire/console/mcp-grants.ts';
import type { ApiToken, McpToken } from '@gatewarden/shared/wire/console/mcp-tokens.ts';
import { useList, useMayAdminister, useReload, useTenantWrite } from '../api/tenant.ts';
import { CLIENT_COLUMNS, DIRECT_COLUMNS } from '../own/OwnTokens.tsx';
import { texts } from '../texts.ts';
import { Badge } from '../ui/Badges.tsx';
import { ConfirmButton } from '../ui/ConfirmButton.tsx';
import type { Column } from '../ui/DataTable.tsx';
import { Empty, ListView } from '../ui/ListView.tsx';
import { Name } from '../ui/Name.tsx';
import { Page, Section } from '../ui/Page.tsx';
import { Time } from '../ui/Time.tsx';
import { UserLink } from '../users/UserLink.tsx';
import { type Names, useNames } from './RuleList.tsx';

const words = texts.mcp.tokens;

export function TokensPage() {
  const mayAdminister = useMayAdminister();
  return (
    <Page title={words.title} lead={words.lead}>
      {mayAdminister ? <AllTokens /> : <p>{texts.mcp.settings.adminsOnly}</p>}
    </Page>
  );
}

function AllTokens() {
  const names = useNames();
  const clients = useList<McpToken>('mcp', '/mcp/tokens', { of: 'all' });
  const grants = useList<Grant>('mcp', '/mcp/grants', { of: 'all' });
  const direct = useList<ApiToken>('mcp', '/mcp/api-tokens', { of: 'all' });
  return (
    <div className="gw-stack">
      <Section title={words.clients}>
        <ListView
          list={clients}
          bare
          caption={words.clients}
          columns={PERSON_CLIENTS}
          rowKey={(row) => row.id}
          rowTestId="mcp-token-row"
          empty={<Empty title={words.clientsEmpty} />}
        />
      </Section>
      <Section title={words.grants}>
        <ListView
          list={grants}
          bare
          caption={words.grants}
          columns={grantColumns(names)}
          rowKey={(row) => `${row.user_id} ${row.backend_id}`}
          rowTestId="mcp-grant-row"
          empty={<Empty title={words.grantsEmpty} />}
        />
      </Section>
      <Section title={words.direct}>
        <ListView
          list={direct}
          bare
          caption={words.direct}
          columns={DIRECT_COLUMNS}
          rowKey={(row) => row.id}
          rowTestId="api-token-row"
          empty={<Empty title={words.directEmpty} />}
        />
      </Section>
    </div>
  );
}

const PERSON_CLIENTS: readonly Column<McpToken>[] = [
  {
    key: 'person',
    weight: 2,
    header: words.person,
    render: (row) => <UserLink value={row.email} isIdentity />,
  },
  ...CLIENT_COLUMNS,
];

const grantColumns = (names: Names): readonly Column<Grant>[] => [
  {
    key: 'person',
    weight: 2,
    header: words.person,
    render: (row) => <UserLink value={row.email ?? row.user_id} />,
  },
  {
    key: 'server',
    weight: 1.5,
    header: words.server,
    render: (row) => <Name value={names.backend(row.backend_id)} clamp />,
  },
  {
    key: 'state',
    weight: 1.5,
    header: words.state,
    render: (row) => (
      <div>
        <Badge tone={row.state === 'connected' ? 'good' : 'warn'} dot>
          {words.states[row.state]}
        </Badge>
        {row.renewal === null ? null : (
          <div className="gw-dimmed gw-small">
            <Name value={row.renewal} clamp />
          </div>
        )}
      </div>
    ),
  },
  { key: 'since', header: words.since, render: (row) => <Time at={row.connected_at} /> },
  {
    key: 'actions',
    header: texts.ui.actions,
    hiddenHeader: true,
    align: 'end',
    render: (row) => <EndGrant grant={row} names={names} />,
  },
];

function EndGrant({ grant, names }: { grant: Grant; names: Names }) {
  const write = useTenantWrite();
  const reload = useReload();
  const who = `${grant.email ?? grant.user_id}, ${names.backend(grant.backend_id)}`;
  return (
    <ConfirmButton
      label={words.endNamed(who)}
      title={words.endTitle}
      name={who}
      text={words.endText}
      action={words.end}
      done={words.ended}
      run={() => write('DELETE', `/mcp/grants/${grant.backend_id}/people/${grant.user_id}`)}
      onDone={() => reload('mcp')}
    />
  );
}
