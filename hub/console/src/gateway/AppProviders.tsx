// The providers of an app in their order: attach, promote and detach. An app of an earlier release can be converted to shared
// providers.
import type { Provider } from '@gatewarden/shared/wire/management/providers.ts';
import { Button, MultiSelect, NativeSelect } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { isStatus } from '../api/client.ts';
import { useAllOf, useMayAdminister, useTenantWrite } from '../api/tenant.ts';
import { texts } from '../texts.ts';
import { Badge } from '../ui/Badges.tsx';
import { DataTable } from '../ui/DataTable.tsx';
import { noticeOf } from '../ui/ErrorPanel.tsx';
import { Empty } from '../ui/ListView.tsx';
import { Name } from '../ui/Name.tsx';
import { Section } from '../ui/Page.tsx';
import { visible } from '../ui/visible.ts';
import { appPath } from './app-path.ts';
import { useReloadGateway } from './reload-gateway.ts';
import { gatewayTexts } from './texts.ts';
import type { GatewayApp } from './wire.ts';

const t = gatewayTexts.providers;

interface Change {
  method: 'PUT' | 'DELETE' | 'POST';
  path: string;
  body?: unknown;
  notice: string;
}

export function AppProviders({ app }: { app: GatewayApp }) {
  const mayAdminister = useMayAdminister();
  const change = useChange(app);
  const busy = change.isPending;
  const at = (label: string) => appPath(app.name, `/providers/${encodeURIComponent(label)}`);
  const attach = (label: string, primary: boolean) =>
    change.mutate({ method: 'PUT', path: at(label), body: { primary }, notice: t.attached });
  return (
    <Section title={gatewayTexts.apps.tabs.providers}>
      {app.inline_providers === undefined ? null : (
        <Conversion app={app} convert={(next) => change.mutate(next)} busy={busy} />
      )}
      {app.provider_labels.length === 0 ? (
        <Empty title={t.none} />
      ) : (
        <DataTable
          caption={gatewayTexts.apps.tabs.providers}
          rows={app.provider_labels}
          rowKey={(label) => label}
          rowTestId="attached-provider"
          columns={[
            { key: 'label', header: t.label, weight: 2, render: (label) => <Name value={label} /> },
            {
              key: 'primary',
              header: t.primary,
              render: (label) =>
                label === app.provider_labels[0] ? <Badge tone="info">{t.primary}</Badge> : null,
            },
            {
              key: 'actions',
              header: texts.ui.actions,
              hiddenHeader: true,
              align: 'end',
              weight: 2,
              render: (label) =>
                mayAdminister ? (
                  <div className="gw-row-actions">
                    {label === app.provider_labels[0] ? null : (
                      <Button
                        size="xs"
                        variant="default"
                        disabled={busy}
                        onClick={() => attach(label, true)}
                      >
                        {t.makePrimary}
                      </Button>
                    )}
                    <Button
                      size="xs"
                      variant="default"
                      disabled={busy}
                      onClick={() =>
                        change.mutate({ method: 'DELETE', path: at(label), notice: t.detached })
                      }
                    >
                      {t.detach}
                    </Button>
                  </div>
                ) : null,
            },
          ]}
        />
      )}
      {mayAdminister && app.mode === 'gateway' && app.inline_providers === undefined ? (
        <Attach app={app} attach={(label) => attach(label, false)} busy={busy} />
      ) : null}
    </Section>
  );
}

function useChange(app: GatewayApp) {
  const write = useTenantWrite();
  const reloadGateway = useReloadGateway();
  return useMutation({
    mutationFn: ({ method, path, body }: Change) =>
      write(method, path, { ...(body === undefined ? {} : { body }), ifMatch: app.version }),
    onSuccess: (_answer, { notice }) => notifications.show({ color: 'teal', message: notice }),
    onError: (error) =>
      notifications.show({
        color: 'red',
        title: texts.errors.notSaved,
        message: isStatus(error, 412) ? gatewayTexts.apps.conflictText : noticeOf(error),
      }),
    onSettled: () => reloadGateway(),
  });
}

interface AttachProps {
  app: GatewayApp;
  attach: (label: string) => void;
  busy: boolean;
}

function Attach({ app, attach, busy }: AttachProps) {
  const all = useAllOf<Provider>('gateway', '/gateway/providers');
  const free = all
    .map((item) => item.label)
    .filter((label) => !app.provider_labels.includes(label));
  const [chosen, setChosen] = useState('');
  if (free.length === 0) return null;
  const label = free.includes(chosen) ? chosen : (free[0] ?? '');
  return (
    <div className="gw-filters">
      <NativeSelect
        label={t.attach}
        data={free.map((item) => ({ value: item, label: visible(item) }))}
        value={label}
        onChange={(event) => setChosen(event.currentTarget.value)}
      />
      <Button variant="default" loading={busy} onClick={() => attach(label)}>
        {t.attach}
      </Button>
    </div>
  );
}

interface ConversionProps {
  app: GatewayApp;
  convert: (change: Change) => void;
  busy: boolean;
}

function Conversion({ app, convert, busy }: ConversionProps) {
  const mayAdminister = useMayAdminister();
  const all = useAllOf<Provider>('gateway', '/gateway/providers');
  const [labels, setLabels] = useState<string[]>([]);
  return (
    <div className="gw-conflict">
      <p className="gw-flat">{gatewayTexts.apps.legacy}</p>
      {mayAdminister ? (
        <div className="gw-filters">
          <MultiSelect
            className="gw-grow"
            label={gatewayTexts.apps.convertTitle}
            data={all.map((item) => ({ value: item.label, label: visible(item.label) }))}
            value={labels}
            onChange={setLabels}
          />
          <Button
            disabled={labels.length === 0}
            loading={busy}
            onClick={() =>
              convert({
                method: 'POST',
                path: appPath(app.name, '/provider-conversion'),
                body: { provider_labels: labels },
                notice: gatewayTexts.apps.converted,
              })
            }
          >
            {gatewayTexts.apps.convert}
          </Button>
        </div>
      ) : null}
    </div>
  );
}
