// "My connections and tokens": the user's connections with servers, signed-in clients and tokens, with buttons to end them.
import type { OwnAnswer, OwnServer } from '@gatewarden/shared/wire/console/mcp-own.ts';
import { Button } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useResource } from '../api/tenant.ts';
import { texts } from '../texts.ts';
import { Badge, type Tone } from '../ui/Badges.tsx';
import { type Column, DataTable } from '../ui/DataTable.tsx';
import { Name } from '../ui/Name.tsx';
import { Page, Section } from '../ui/Page.tsx';
import { shownOf, Waiting } from '../ui/Waiting.tsx';
import { OwnClients, OwnDirectTokens } from './OwnTokens.tsx';
import { ServerActions, useConnect } from './ServerActions.tsx';

const words = texts.own.connections;
const page = getRouteApi('/t/$tenantId/my/connect/connections');

export function ConnectionsPage() {
  const answer = useResource<OwnAnswer>('mcp', '/mcp/own');
  const { connect, connected } = page.useSearch();
  const servers = shownOf(answer)?.servers ?? [];
  const waiting = servers.find((item) => item.backend_id === connect);
  const connectedServer = servers.find((item) => item.backend_id === connected);
  return (
    <Page title={words.title} lead={words.lead}>
      <div className="gw-stack">
        {connectedServer?.connection === 'connected' ? (
          <div className="gw-notice" role="status">
            {words.made(connectedServer.name)}
          </div>
        ) : null}
        {waiting !== undefined && waiting.connection !== 'connected' ? (
          <WaitingServer server={waiting} />
        ) : null}
        <Waiting answer={answer} />
        {shownOf(answer) === undefined ? null : <Servers servers={servers} />}
        <OwnClients />
        <OwnDirectTokens />
      </div>
    </Page>
  );
}

/** The notice that a call of the user's client waits for a connection. */
function WaitingServer({ server }: { server: OwnServer }) {
  const connect = useConnect(server);
  return (
    <div className="gw-notice" role="status">
      <span>{words.waits(server.name)}</span>
      {server.auth_kind === 'oauth' ? (
        <Button
          loading={connect.isPending}
          onClick={() => {
            connect.mutate();
          }}
        >
          {words.connectNamed(server.name)}
        </Button>
      ) : null}
    </div>
  );
}

function Servers({ servers }: { servers: readonly OwnServer[] }) {
  const serversWithLogin = servers.filter((item) => item.connection !== 'not_needed');
  return (
    <Section title={words.servers}>
      {serversWithLogin.length === 0 ? (
        <p className="gw-dimmed gw-flat">{words.serversEmpty}</p>
      ) : (
        <DataTable
          caption={words.servers}
          columns={COLUMNS}
          rows={serversWithLogin}
          rowKey={(row) => row.backend_id}
          rowTestId="own-server-row"
        />
      )}
    </Section>
  );
}

const TONES: Record<OwnServer['connection'], Tone> = {
  not_needed: 'plain',
  missing: 'plain',
  connected: 'good',
  renew: 'warn',
};

const COLUMNS: readonly Column<OwnServer>[] = [
  {
    key: 'name',
    weight: 2,
    header: words.server,
    render: (row) => <Name value={row.name} clamp />,
  },
  {
    key: 'how',
    weight: 2,
    header: words.how,
    render: (row) => words.kinds[row.auth_kind === 'oauth' ? 'oauth' : 'personal_key'],
  },
  {
    key: 'state',
    header: words.state,
    render: (row) => (
      <Badge tone={TONES[row.connection]} dot>
        {words.states[row.connection]}
      </Badge>
    ),
  },
  {
    key: 'actions',
    weight: 2,
    header: texts.ui.actions,
    hiddenHeader: true,
    align: 'end',
    render: (row) => <ServerActions server={row} />,
  },
];
