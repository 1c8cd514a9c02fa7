// How people sign in, as the operator configured it, and how long what is recorded is kept.
import type { LogSettingsAnswer } from '@gatewarden/shared/wire/console/logs.ts';
import { ACTIVITY_DAYS, ALERT_DAYS } from '@gatewarden/shared/wire/console/retention.ts';
import type { LoginProviderAnswer } from '@gatewarden/shared/wire/console/users.ts';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Static } from 'typebox';
import { useResource, useTenant } from '../api/tenant.ts';
import { type Column, DataTable } from '../ui/DataTable.tsx';
import { Fact, Facts } from '../ui/Facts.tsx';
import { Name } from '../ui/Name.tsx';
import { Section } from '../ui/Page.tsx';
import { shownOf, Waiting } from '../ui/Waiting.tsx';
import { AdminsOnly } from './AdminsOnly.tsx';
import { Directory } from './Directory.tsx';
import { settingsTexts } from './texts.ts';

const words = settingsTexts.settings;

export function SettingsPage() {
  return (
    <AdminsOnly title={words.title} lead={words.lead}>
      <div className="gw-stack">
        <Provider />
        <Directory />
        <Retention />
      </div>
    </AdminsOnly>
  );
}

type Claim = LoginProviderAnswer['provider']['token_claims'][number];
const CLAIMS: readonly Column<Claim>[] = [
  { key: 'meaning', header: words.meaning, render: (row) => <Name value={row.meaning} mono /> },
  { key: 'claim', header: words.claim, render: (row) => <Name value={row.claim} mono /> },
];

function Provider() {
  const answer = useResource<LoginProviderAnswer>('people', '/login-provider');
  const provider = shownOf(answer)?.provider;
  if (provider === undefined) return <Waiting answer={answer} />;
  return (
    <Section title={words.provider}>
      <Facts>
        <Fact name={words.kind}>{words.kinds[provider.kind]}</Fact>
        <Fact name={words.session}>{words.hours(provider.session_hours)}</Fact>
        <Fact name={words.clientId}>
          <Name value={provider.client_id} mono />
        </Fact>
        <Fact name={words.clientSecret}>
          {provider.has_client_secret ? words.secretSet : words.secretNone}
        </Fact>
        <Fact name={words.issuer} wide>
          <Name value={provider.issuer} mono />
        </Fact>
        <Fact name={words.redirect} wide>
          <Name value={provider.redirect_uri} mono />
        </Fact>
      </Facts>
      <h3>{words.claims}</h3>
      <DataTable
        caption={words.claims}
        columns={CLAIMS}
        rows={provider.token_claims}
        rowKey={(row) => row.meaning}
      />
    </Section>
  );
}

interface Kept {
  what: string;
  kept: ReactNode;
}
const KEPT: readonly Column<Kept>[] = [
  { key: 'what', header: words.what, render: (row) => row.what },
  { key: 'kept', header: words.kept, render: (row) => row.kept },
];

function Retention() {
  const { tenantId } = useTenant();
  const answer = useResource<Static<typeof LogSettingsAnswer>>('gateway', '/log-settings');
  const settings = shownOf(answer)?.settings;
  if (settings === undefined) return <Waiting answer={answer} />;
  const rows: Kept[] = [
    { what: words.rows.activity, kept: words.days(ACTIVITY_DAYS) },
    { what: words.rows.alerts, kept: words.days(ALERT_DAYS) },
    {
      what: words.rows.logs,
      kept: (
        <div>
          {words.days(settings.retention_days)}
          <div className="gw-small">
            <Link to="/t/$tenantId/gateway/export-keys" params={{ tenantId }} className="gw-link">
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
      <DataTable caption={words.retention} columns={KEPT} rows={rows} rowKey={(row) => row.what} />
    </Section>
  );
}
