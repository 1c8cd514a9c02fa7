// Every MCP server behind the gateway; administrators add new ones.
import type {
  Backend,
  BackendAnswer,
  BackendInput,
} from '@gatewarden/shared/wire/console/mcp-backends.ts';
import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import {
  useList,
  useMayAdminister,
  useReload,
  useTenant,
  useTenantCreation,
} from '../api/tenant.ts';
import { texts } from '../texts.ts';
import { Badge } from '../ui/Badges.tsx';
import type { Column } from '../ui/DataTable.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { Empty, ListView } from '../ui/ListView.tsx';
import { Name } from '../ui/Name.tsx';
import { Page } from '../ui/Page.tsx';
import { Time } from '../ui/Time.tsx';
import { ServerForm } from './ServerForm.tsx';
import { inputOf } from './server-values.ts';

const words = texts.mcp.servers;

export function ServersPage() {
  const mayAdminister = useMayAdminister();
  const [isNew, setNew] = useState(false);
  const list = useList<Backend>('mcp', '/mcp/backends');
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
        columns={COLUMNS}
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

function NewServer({ onClose }: { onClose: () => void }) {
  const create = useTenantCreation();
  const reload = useReload();
  const { tenantId } = useTenant();
  const navigate = useNavigate();
  return (
    <Dialog title={words.newTitle} wide onClosed={onClose}>
      {(close) => (
        <ServerForm
          original={null}
          submitText={words.create}
          onCancel={close}
          save={async (values) => {
            const body = inputOf(values) as BackendInput;
            const { backend } = await create<BackendAnswer>('/mcp/backends', {
              ...{ body, as: 'backend' },
            });
            notifications.show({ color: 'teal', message: words.created });
            reload('mcp');
            close();
            void navigate({
              to: '/t/$tenantId/gateway/mcp-servers/$backendId',
              params: { tenantId, backendId: backend.id },
            });
          }}
        />
      )}
    </Dialog>
  );
}

const COLUMNS: readonly Column<Backend>[] = [
  { key: 'name', weight: 2, header: words.name, render: (row) => <ServerLink server={row} /> },
  {
    key: 'url',
    weight: 2.5,
    header: words.url,
    render: (row) => <Name value={row.url} clamp mono />,
  },
  { key: 'auth', weight: 1.5, header: words.auth, render: (row) => words.kinds[row.auth.kind] },
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
