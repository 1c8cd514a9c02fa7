// The user's signed-in clients and direct tokens, with buttons to end each.
import type { ApiToken, McpToken } from '@gatewarden/shared/wire/console/mcp-tokens.ts';
import { rowsOf, useList, useReload, useTenantWrite } from '../api/tenant.ts';
import { texts } from '../texts.ts';
import { ConfirmButton } from '../ui/ConfirmButton.tsx';
import type { Column } from '../ui/DataTable.tsx';
import { Empty, ListView } from '../ui/ListView.tsx';
import { Name } from '../ui/Name.tsx';
import { Section } from '../ui/Page.tsx';
import { Time } from '../ui/Time.tsx';

const words = texts.own.connections;

export function OwnClients() {
  const list = useList<McpToken>('mcp', '/mcp/tokens');
  return (
    <Section title={words.clients}>
      <ListView
        list={list}
        bare
        caption={words.clients}
        columns={CLIENT_COLUMNS}
        rowKey={(row) => row.id}
        rowTestId="own-client-row"
        empty={<Empty title={words.clientsEmpty} text={words.clientsEmptyText} />}
      />
    </Section>
  );
}

/** Hidden for a user without direct tokens, which most users do not have. */
export function OwnDirectTokens() {
  const list = useList<ApiToken>('mcp', '/mcp/api-tokens');
  if (rowsOf(list).length === 0 && !list.isError) return null;
  return (
    <Section title={words.direct}>
      <ListView
        list={list}
        bare
        caption={words.direct}
        columns={DIRECT_COLUMNS}
        rowKey={(row) => row.id}
        rowTestId="own-direct-row"
        empty={null}
      />
    </Section>
  );
}

export function grantedScope(namespace: string): string {
  return namespace.startsWith('backend/') ? words.oneServer : words.everything;
}

export const CLIENT_COLUMNS: readonly Column<McpToken>[] = [
  {
    key: 'client',
    weight: 2,
    header: words.client,
    render: (row) => (
      <div>
        <Name value={row.client_name ?? words.noName} clamp />
        <div className="gw-dimmed gw-small">
          <Name value={row.redirect_host} clamp />
        </div>
      </div>
    ),
  },
  { key: 'opens', header: words.opens, render: (row) => grantedScope(row.namespace) },
  { key: 'since', header: words.since, render: (row) => <Time at={row.created_at} /> },
  { key: 'used', header: words.lastUsed, render: (row) => <Time at={row.last_used_at} /> },
  {
    key: 'actions',
    header: texts.ui.actions,
    hiddenHeader: true,
    align: 'end',
    render: (row) => <SignOut token={row} />,
  },
];

function SignOut({ token }: { token: McpToken }) {
  const write = useTenantWrite();
  const reload = useReload();
  const name = token.client_name ?? words.noName;
  return (
    <ConfirmButton
      label={words.revokeNamed(name)}
      title={words.revokeTitle}
      name={name}
      text={words.revokeText}
      action={words.revoke}
      done={words.revoked}
      run={() => write('DELETE', `/mcp/tokens/${token.id}`)}
      onDone={() => reload('mcp')}
    />
  );
}

export const DIRECT_COLUMNS: readonly Column<ApiToken>[] = [
  {
    key: 'name',
    weight: 2,
    header: words.directName,
    render: (row) => (
      <div>
        <Name value={row.name} clamp />
        <div className="gw-dimmed gw-small gw-mono">{row.fingerprint}</div>
      </div>
    ),
  },
  { key: 'agent', header: words.agent, render: (row) => <Name value={row.agent} clamp /> },
  { key: 'used', header: words.lastUsed, render: (row) => <Time at={row.last_used_at} /> },
  { key: 'ends', header: words.ends, render: (row) => <Time at={row.expires_at} full /> },
  {
    key: 'actions',
    header: texts.ui.actions,
    hiddenHeader: true,
    align: 'end',
    render: (row) => <RevokeDirect token={row} />,
  },
];

function RevokeDirect({ token }: { token: ApiToken }) {
  const write = useTenantWrite();
  const reload = useReload();
  return (
    <ConfirmButton
      label={words.directRevokeNamed(token.name)}
      title={words.directRevokeTitle}
      name={token.name}
      text={words.directRevokeText}
      action={words.directRevoke}
      done={words.directRevoked}
      run={() => write('DELETE', `/mcp/backends/${token.backend_id}/api-tokens/${token.id}`)}
      onDone={() => reload('mcp')}
    />
  );
}
