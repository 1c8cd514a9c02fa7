// The keys with which collectors read logs, the position of each collector, and the retention of logs.
import type { ExportKey } from '@gatewarden/shared/wire/console/log-export-keys.ts';
import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useAllOf, useList, useMayAdminister, useTenantWrite } from '../api/tenant.ts';
import { KEY_TONES } from '../gateway/AppKeys.tsx';
import { useReloadGateway } from '../gateway/reload-gateway.ts';
import { gatewayTexts } from '../gateway/texts.ts';
import type { GatewayApp } from '../gateway/wire.ts';
import { texts } from '../texts.ts';
import { Badge } from '../ui/Badges.tsx';
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx';
import type { Column } from '../ui/DataTable.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { noticeOf } from '../ui/ErrorPanel.tsx';
import { Empty, ListView } from '../ui/ListView.tsx';
import { Name } from '../ui/Name.tsx';
import { Page } from '../ui/Page.tsx';
import { Time } from '../ui/Time.tsx';
import { logTexts } from './texts.ts';
import '../policies/policies.css';
import { HowToExport } from './ExportRequest.tsx';
import { LogRetention } from './LogRetention.tsx';
import { NewKey, Secret } from './NewExportKey.tsx';

const t = logTexts.keys;
type OpenDialog =
  | { kind: 'new' }
  | { kind: 'secret'; key: ExportKey; secret: string; note: string }
  | { kind: 'revoke'; key: ExportKey }
  | null;

export function ExportKeysPage() {
  const mayAdminister = useMayAdminister();
  const [opened, setOpened] = useState<OpenDialog>(null);
  const list = useList<ExportKey>('gateway', '/log-export-keys');
  const close = () => setOpened(null);
  return (
    <Page title={t.title} lead={t.lead}>
      {mayAdminister ? (
        <div className="gw-filters">
          <Button onClick={() => setOpened({ kind: 'new' })}>{t.new}</Button>
        </div>
      ) : null}
      <div className="gw-stack">
        <ListView
          list={list}
          caption={t.title}
          rowKey={(row) => row.key_id}
          rowTestId="export-key-row"
          empty={<Empty title={t.empty} text={t.emptyText} />}
          columns={[
            ...COLUMNS,
            {
              key: 'actions',
              header: texts.ui.actions,
              hiddenHeader: true,
              align: 'end',
              weight: 1.6,
              render: (key) =>
                mayAdminister && key.status === 'active' ? (
                  <KeyActions of={key} open={setOpened} />
                ) : null,
            },
          ]}
        />
        <HowToExport />
        <LogRetention />
      </div>
      {opened?.kind === 'new' ? <NewKey onClosed={close} /> : null}
      {opened?.kind === 'secret' ? (
        <Dialog title={opened.key.name} onClosed={close}>
          {(done) => (
            <Secret
              secret={opened.secret}
              scope={opened.key.scope}
              note={opened.note}
              onDone={done}
            />
          )}
        </Dialog>
      ) : null}
      {opened?.kind === 'revoke' ? <RevokeKey of={opened.key} onClosed={close} /> : null}
    </Page>
  );
}

const COLUMNS: readonly Column<ExportKey>[] = [
  { key: 'name', header: t.name, weight: 1.6, render: (row) => <Name value={row.name} clamp /> },
  { key: 'scope', header: t.scope, weight: 1.8, render: (row) => <Scope of={row} /> },
  {
    key: 'status',
    header: gatewayTexts.keys.status,
    render: (row) => (
      <Badge tone={KEY_TONES[row.status]} dot>
        {gatewayTexts.keys.statuses[row.status]}
      </Badge>
    ),
  },
  { key: 'used', header: gatewayTexts.keys.used, render: (row) => <Time at={row.last_used_at} /> },
  { key: 'read', header: t.behind, render: (row) => <Time at={row.read_up_to} /> },
  {
    key: 'ends',
    header: t.ends,
    render: (row) =>
      row.expires_at === null ? gatewayTexts.keys.never : <Time at={row.expires_at} />,
  },
];

/** The scope, with the name of its app or server. */
function Scope({ of: { scope, app_id: appId, backend_id: backendId } }: { of: ExportKey }) {
  const apps = useAllOf<GatewayApp>('gateway', scope === 'app' ? '/gateway/apps' : null);
  const backends = useAllOf<{ id: string; name: string }>(
    'gateway',
    scope === 'backend' ? '/mcp/backends' : null,
  );
  if (scope !== 'app' && scope !== 'backend') return t.scopes[scope];
  const app = apps.find((item) => item.app_id === appId);
  const backend = backends.find((item) => item.id === backendId);
  const name = app?.name ?? backend?.name;
  return name === undefined ? t.scopes[scope] : t.scopeOf[scope](name);
}

function KeyActions({ of, open }: { of: ExportKey; open: (next: OpenDialog) => void }) {
  const write = useTenantWrite();
  const reveal = useMutation({
    mutationFn: () =>
      write<{ secret: string }>('POST', `/log-export-keys/${of.key_id}/reveal`, { body: {} }),
    onSuccess: ({ secret }) =>
      open({ kind: 'secret', key: of, secret, note: gatewayTexts.keys.revealed }),
    onError: (error) => notifications.show({ color: 'red', message: noticeOf(error) }),
  });
  return (
    <div className="gw-row-actions">
      <Button
        size="xs"
        variant="default"
        loading={reveal.isPending}
        onClick={() => reveal.mutate()}
      >
        {t.reveal}
      </Button>
      <Button size="xs" variant="default" onClick={() => open({ kind: 'revoke', key: of })}>
        {t.revoke}
      </Button>
    </div>
  );
}

function RevokeKey({ of, onClosed }: { of: ExportKey; onClosed: () => void }) {
  const write = useTenantWrite();
  const afterGateway = useReloadGateway();
  const revoke = () => write('DELETE', `/log-export-keys/${of.key_id}`, { ifMatch: of.version });
  return (
    <ConfirmDialog
      title={t.revokeTitle(of.name)}
      text={t.revokeText}
      action={t.revoke}
      run={() => revoke().finally(afterGateway)}
      done={t.revoked}
      onClose={onClosed}
    />
  );
}
