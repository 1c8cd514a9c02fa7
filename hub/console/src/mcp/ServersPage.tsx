// The MCP servers behind the gateway. Administrators add servers.
import type { Backend } from '@gatewarden/shared/wire/console/mcp-backends.ts';
import type { ServerStatus } from '@gatewarden/shared/wire/console/mcp-server-health.ts';
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useList, useMayAdminister, useTenant } from '../api/tenant.ts';
import { texts } from '../texts.ts';
import { Badge } from '../ui/Badges.tsx';
import type { Column } from '../ui/DataTable.tsx';
import { Empty, ListView } from '../ui/ListView.tsx';
import { Name } from '../ui/Name.tsx';
import { Page } from '../ui/Page.tsx';
import { Time } from '../ui/Time.tsx';
import { AdoptionBar } from './AdoptionBar.tsx';
import { NewServer } from './NewServer.tsx';
import { publishTexts } from './publish-texts.ts';
import { HealthCell, ToolCountCell, useServerStatus } from './server-status.tsx';

const words = texts.mcp.servers;

export function ServersPage() {
  const mayAdminister = useMayAdminister();
  const [isNew, setNew] = useState(false);
  const list = useList<Backend>('mcp', '/mcp/backends');
  const status = useServerStatus();
  return (
    <Page title={words.title} lead={words.lead}>
      {mayAdminister ? (
        <div className="gw-filters">
          <Button
            onClick={() => {
              setNew(true);
            }}
          >
            {words.new}
          </Button>
        </div>
      ) : null}
      <ListView
        list={list}
        caption={words.title}
        columns={serverColumns(status)}
        rowKey={(row) => row.id}
        rowTestId="mcp-server-row"
        empty={<Empty title={words.empty} text={words.emptyText} />}
      />
      {isNew ? (
        <NewServer
          onClose={() => {
            setNew(false);
          }}
        />
      ) : null}
    </Page>
  );
}

const serverColumns = (status: ReadonlyMap<string, ServerStatus>): readonly Column<Backend>[] => [
  { key: 'name', weight: 1.7, header: words.name, render: (row) => <ServerLink server={row} /> },
  {
    key: 'url',
    weight: 2.2,
    header: words.url,
    render: (row) => <Name value={row.url} clamp mono />,
  },
  {
    key: 'health',
    weight: 1.5,
    header: publishTexts.health.column,
    render: (row) => <HealthCell status={status.get(row.id)} />,
  },
  {
    key: 'tools',
    weight: 1.3,
    header: publishTexts.health.tools,
    render: (row) => <ToolCountCell status={status.get(row.id)} />,
  },
  {
    key: 'adoption',
    weight: 1.5,
    header: publishTexts.adoption.column,
    render: (row) => {
      const adoption = status.get(row.id)?.adoption;
      return adoption === undefined ? null : <AdoptionBar adoption={adoption} />;
    },
  },
  { key: 'auth', weight: 1.3, header: words.auth, render: (row) => words.kinds[row.auth.kind] },
  { key: 'state', header: words.state, render: (row) => <ServerState enabled={row.enabled} /> },
  { key: 'changed', header: words.changed, render: (row) => <Time at={row.updated_at} /> },
];

export function ServerState({ enabled }: { enabled: boolean }) {
  return (
    <Badge tone={enabled ? 'good' : 'plain'} dot>
      {enabled ? words.enabled : words.disabled}
    </Badge>
  );
}

function ServerLink({ server: { id, name } }: { server: Backend }) {
  const { tenantId } = useTenant();
  return (
    <Link
      to="/t/$tenantId/gateway/mcp-servers/$backendId"
      params={{ tenantId, backendId: id }}
      className="gw-link"
    >
      <Name value={name} clamp />
    </Link>
  );
}
