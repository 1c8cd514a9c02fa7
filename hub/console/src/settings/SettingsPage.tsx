// The sign-in that the operator configured, and the directory that provisions users.
import type { LoginProviderAnswer } from '@gatewarden/shared/wire/console/users.ts';
import { useResource } from '../api/tenant.ts';
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
      </div>
    </AdminsOnly>
  );
}

type Claim = LoginProviderAnswer['provider']['token_claims'][number];
const CLAIMS: readonly Column<Claim>[] = [
  {
    key: 'meaning',
    header: words.meaning,
    render: (row) => <Name value={words.claimMeanings[row.meaning] ?? row.meaning} />,
  },
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
