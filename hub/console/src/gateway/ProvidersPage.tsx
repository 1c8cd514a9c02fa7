// The providers of the tenant: connections to models, with the state of their credentials.
import type { Provider } from '@gatewarden/shared/wire/management/providers.ts';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { useList, useMayAdminister } from '../api/tenant.ts';
import { texts } from '../texts.ts';
import { Badge } from '../ui/Badges.tsx';
import type { Column } from '../ui/DataTable.tsx';
import { Empty, ListView } from '../ui/ListView.tsx';
import { Name } from '../ui/Name.tsx';
import { Page } from '../ui/Page.tsx';
import { EnabledBadge } from './AppsPage.tsx';
import { LastTest, useLastTests } from './LastTest.tsx';
import { ProviderDialog } from './ProviderDialog.tsx';
import { TestProvider } from './TestProvider.tsx';
import { gatewayTexts } from './texts.ts';
import '../policies/policies.css';
import './gateway.css';
import { providerTypeLabel } from './vendors.ts';

const t = gatewayTexts.providers;
type OpenDialog =
  | { kind: 'edit'; provider: Provider | null }
  | { kind: 'test'; provider: Provider };

export function ProvidersPage() {
  const mayAdminister = useMayAdminister();
  const [opened, setOpened] = useState<OpenDialog | null>(null);
  const list = useList<Provider>('gateway', '/gateway/providers');
  const lastTests = useLastTests();
  const close = () => setOpened(null);
  return (
    <Page title={t.title} lead={t.lead}>
      {mayAdminister ? (
        <div className="gw-filters">
          <Button onClick={() => setOpened({ kind: 'edit', provider: null })}>{t.new}</Button>
        </div>
      ) : null}
      <ListView
        list={list}
        caption={t.title}
        rowKey={(row) => row.label}
        rowTestId="provider-row"
        empty={<Empty title={t.empty} text={t.emptyText} />}
        columns={[
          ...COLUMNS,
          {
            key: 'last-test',
            header: t.lastTest,
            weight: 1.4,
            render: ({ label }) => <LastTest test={lastTests.get(label)} />,
          },
          {
            key: 'actions',
            header: texts.ui.actions,
            hiddenHeader: true,
            align: 'end',
            weight: 1.4,
            render: (provider) =>
              mayAdminister ? (
                <div className="gw-row-actions">
                  <Button
                    size="xs"
                    variant="default"
                    onClick={() => setOpened({ kind: 'edit', provider })}
                  >
                    {t.edit}
                  </Button>
                  <Button
                    size="xs"
                    variant="default"
                    onClick={() => setOpened({ kind: 'test', provider })}
                  >
                    {t.test}
                  </Button>
                </div>
              ) : null,
          },
        ]}
      />
      {opened?.kind === 'edit' ? (
        <ProviderDialog provider={opened.provider} onClosed={close} />
      ) : null}
      {opened?.kind === 'test' ? (
        <TestProvider provider={opened.provider} onClosed={close} />
      ) : null}
    </Page>
  );
}

const COLUMNS: readonly Column<Provider>[] = [
  { key: 'label', header: t.label, weight: 1.6, render: (row) => <Name value={row.label} clamp /> },
  {
    key: 'type',
    header: t.type,
    weight: 1.4,
    render: (row) => providerTypeLabel(row.provider_name),
  },
  {
    key: 'models',
    header: t.models,
    weight: 1.8,
    render: (row) =>
      row.selected_models.length === 0 ? (
        <span className="gw-dimmed">{t.anyModel}</span>
      ) : (
        <Name value={row.selected_models.join(', ')} clamp />
      ),
  },
  {
    key: 'credential',
    header: t.credential,
    render: (row) => (
      <Badge tone={row.credential_configured ? 'good' : 'plain'}>
        {row.credential_configured ? t.configured : t.missing}
      </Badge>
    ),
  },
  { key: 'state', header: t.state, render: (row) => <EnabledBadge enabled={row.enabled} /> },
];
