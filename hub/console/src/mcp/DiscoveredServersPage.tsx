// MCP servers that devices run or reach without the gateway, by product, with the way to publish each.
import type { DiscoveredServer } from '@gatewarden/shared/wire/console/mcp-discovered.ts';
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useList, useMayAdminister, useTenant } from '../api/tenant.ts';
import { Badge } from '../ui/Badges.tsx';
import type { Column } from '../ui/DataTable.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { Empty, ListView } from '../ui/ListView.tsx';
import { Name } from '../ui/Name.tsx';
import { Page } from '../ui/Page.tsx';
import { AdoptionBar } from './AdoptionBar.tsx';
import { toDiscoveredValues } from './catalog-values.ts';
import { NewServerForm, useTakenSlugs } from './NewServer.tsx';
import { publishTexts } from './publish-texts.ts';

const words = publishTexts.discovered;

export function DiscoveredServersPage() {
  const mayAdminister = useMayAdminister();
  const list = useList<DiscoveredServer>('mcp', '/mcp/discovered-servers');
  const [published, setPublished] = useState<DiscoveredServer | null>(null);
  return (
    <Page title={words.title} lead={words.lead}>
      <ListView
        list={list}
        caption={words.title}
        columns={discoveredColumns(mayAdminister ? setPublished : null)}
        rowKey={(row) => row.product_id}
        rowTestId="discovered-server-row"
        empty={<Empty title={words.empty} text={words.emptyText} />}
      />
      {published === null ? null : (
        <Publish server={published} onClose={() => setPublished(null)} />
      )}
    </Page>
  );
}

function Publish({ server, onClose }: { server: DiscoveredServer; onClose: () => void }) {
  const taken = useTakenSlugs();
  return (
    <Dialog title={words.publishTitle(server.name)} wide onClosed={onClose}>
      {(close) => (
        <div className="gw-form">
          {server.is_remote ? null : <p className="gw-flat gw-dimmed">{words.instead}</p>}
          <NewServerForm
            initial={toDiscoveredValues(server, taken)}
            submitText={words.publishAction}
            onClose={close}
          />
        </div>
      )}
    </Dialog>
  );
}

type Open = (server: DiscoveredServer) => void;

const discoveredColumns = (open: Open | null): readonly Column<DiscoveredServer>[] => [
  { key: 'name', weight: 2, header: words.name, render: (row) => <Product server={row} /> },
  {
    key: 'where',
    weight: 0.9,
    header: words.where,
    render: (row) => (
      <Badge tone={row.is_remote ? 'info' : 'plain'}>
        {row.is_remote ? words.remote : words.local}
      </Badge>
    ),
  },
  {
    key: 'users',
    weight: 0.6,
    header: words.users,
    align: 'end',
    render: (row) => <span className="gw-num">{row.user_count.toLocaleString('en-GB')}</span>,
  },
  {
    key: 'devices',
    weight: 0.7,
    header: words.devices,
    align: 'end',
    render: (row) => <span className="gw-num">{row.device_count.toLocaleString('en-GB')}</span>,
  },
  {
    key: 'adoption',
    weight: 1.3,
    header: publishTexts.adoption.column,
    render: (row) => <AdoptionBar adoption={row.adoption} />,
  },
  {
    key: 'publication',
    weight: 2.2,
    header: words.publication,
    render: (row) => <Publication server={row} open={open} />,
  },
];

function Product({
  server: { product_id: productId, name, vendor },
}: {
  server: DiscoveredServer;
}) {
  const { tenantId } = useTenant();
  return (
    <div>
      <Link
        to="/t/$tenantId/inventory/products/$productId"
        params={{ tenantId, productId }}
        className="gw-link"
      >
        <Name value={name} clamp />
      </Link>
      {vendor === null ? null : (
        <div className="gw-dimmed gw-small">
          <Name value={vendor} clamp />
        </div>
      )}
    </div>
  );
}

/** The published servers of the product, or the way to publish it, or the reason why that is not possible. */
function Publication({ server, open }: { server: DiscoveredServer; open: Open | null }) {
  const { tenantId } = useTenant();
  if (server.backends.length > 0) {
    return (
      <div>
        {server.backends.map(({ id, name }) => (
          <div key={id}>
            {words.published}:{' '}
            <Link
              to="/t/$tenantId/gateway/mcp-servers/$backendId"
              params={{ tenantId, backendId: id }}
              className="gw-link"
            >
              <Name value={name} clamp />
            </Link>
          </div>
        ))}
      </div>
    );
  }
  if (server.obstacle !== null) {
    return <span className="gw-dimmed gw-small">{words.obstacles[server.obstacle]}</span>;
  }
  if (open === null) return null;
  return (
    <Button
      size="xs"
      variant="default"
      aria-label={words.publishNamed(server.name)}
      onClick={() => open(server)}
    >
      {words.publish}
    </Button>
  );
}
