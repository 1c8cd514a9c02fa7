// Page of the data that devices collect, its retention, and the erasure of a user.
import type { LogSettingsAnswer } from '@gatewarden/shared/wire/console/logs.ts';
import { ACTIVITY_DAYS, ALERT_DAYS } from '@gatewarden/shared/wire/console/retention.ts';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Static } from 'typebox';
import { useMayAdminister, useResource, useTenant } from '../api/tenant.ts';
import { navTexts } from '../app/nav-texts.ts';
import { DiscoveryScopeSection } from '../defaults/DiscoveryScope.tsx';
import { type Column, DataTable } from '../ui/DataTable.tsx';
import { Page, Section } from '../ui/Page.tsx';
import { shownOf, Waiting } from '../ui/Waiting.tsx';
import { EraseUserByName } from './EraseSomebody.tsx';
import { settingsTexts } from './texts.ts';
import '../policies/policies.css';

const words = settingsTexts.settings;

export function DataPage() {
  const mayAdminister = useMayAdminister();
  return (
    <Page title={navTexts.settings.data} lead={words.dataLead}>
      <div className="gw-stack">
        <DiscoveryScopeSection />
        <Retention />
        {mayAdminister ? <EraseUserByName /> : null}
      </div>
    </Page>
  );
}

interface RetentionRow {
  what: string;
  kept: ReactNode;
}
const RETENTION_COLUMNS: readonly Column<RetentionRow>[] = [
  { key: 'what', header: words.what, render: (row) => row.what },
  { key: 'kept', header: words.kept, render: (row) => row.kept },
];

function Retention() {
  const { tenantId } = useTenant();
  const answer = useResource<Static<typeof LogSettingsAnswer>>('gateway', '/log-settings');
  const settings = shownOf(answer)?.settings;
  if (settings === undefined) return <Waiting answer={answer} />;
  const rows: RetentionRow[] = [
    { what: words.rows.activity, kept: words.days(ACTIVITY_DAYS) },
    { what: words.rows.alerts, kept: words.days(ALERT_DAYS) },
    {
      what: words.rows.logs,
      kept: (
        <div>
          {words.days(settings.retention_days)}
          <div className="gw-small">
            <Link to="/t/$tenantId/settings/log-export" params={{ tenantId }} className="gw-link">
              {words.changeLogs}
            </Link>
          </div>
        </div>
      ),
    },
    { what: words.rows.audit, kept: words.forever },
  ];
  return (
    <Section title={words.retention}>
      <DataTable
        caption={words.retention}
        columns={RETENTION_COLUMNS}
        rows={rows}
        rowKey={(row) => row.what}
      />
    </Section>
  );
}
