// Access rules of the MCP gateway, and the access that they give a user.
import type { Access, AccessAnswer } from '@gatewarden/shared/wire/console/mcp-rules.ts';
import { Button, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { getRouteApi } from '@tanstack/react-router';
import { useResource } from '../api/tenant.ts';
import { texts } from '../texts.ts';
import { type Column, DataTable } from '../ui/DataTable.tsx';
import { Name } from '../ui/Name.tsx';
import { Page, Section } from '../ui/Page.tsx';
import { shownOf, Waiting } from '../ui/Waiting.tsx';
import { AccessMatrix } from './AccessMatrix.tsx';
import { publishTexts } from './publish-texts.ts';
import { RuleList } from './RuleList.tsx';
import { DECISION_COLUMNS } from './WhoMay.tsx';

const words = texts.mcp.access;
const page = getRouteApi('/t/$tenantId/gateway/mcp-access');

export function RulesPage() {
  const { email } = page.useSearch();
  return (
    <Page title={texts.mcp.rules.title} lead={texts.mcp.rules.lead}>
      <div className="gw-stack">
        <Section title={publishTexts.matrix.title}>
          <AccessMatrix />
        </Section>
        <Section title={texts.mcp.rules.section}>
          <RuleList backendId={null} />
        </Section>
        <Section title={words.checkTitle}>
          <div className="gw-form">
            <PersonForm email={email ?? ''} />
            {email === undefined ? null : <PersonAccess email={email} key={email} />}
          </div>
        </Section>
      </div>
    </Page>
  );
}

function PersonForm({ email }: { email: string }) {
  const navigate = page.useNavigate();
  const form = useForm({
    initialValues: { email },
    validate: {
      email: (text) => (/^[^\s@]+@[^\s@]+$/.test(text.trim()) ? null : words.personNeeded),
    },
  });
  return (
    <form
      className="gw-filters"
      noValidate
      onSubmit={form.onSubmit((values) => {
        void navigate({ search: { email: values.email.trim() } });
      })}
    >
      <TextInput
        className="gw-grow"
        label={words.person}
        maxLength={320}
        autoComplete="off"
        {...form.getInputProps('email')}
      />
      <Button type="submit" variant="default">
        {words.check}
      </Button>
    </form>
  );
}

function PersonAccess({ email }: { email: string }) {
  const answer = useResource<AccessAnswer>('mcp', '/mcp/access', { email });
  const items = shownOf(answer)?.items;
  if (items === undefined) return <Waiting answer={answer} />;
  if (items.length === 0) return <p className="gw-dimmed gw-flat">{words.nothing}</p>;
  return (
    <DataTable
      caption={words.checkTitle}
      columns={COLUMNS}
      rows={items}
      rowKey={(row) => `${row.backend_id} ${row.tool ?? ''}`}
      rowTestId="mcp-person-access-row"
    />
  );
}

const COLUMNS: readonly Column<Access>[] = [
  {
    key: 'server',
    weight: 1.5,
    header: words.server,
    render: (row) => <Name value={row.backend_name} clamp />,
  },
  {
    key: 'tool',
    weight: 1.5,
    header: words.tool,
    render: (row) =>
      row.tool === null ? (
        <span className="gw-dimmed">{words.whole}</span>
      ) : (
        <Name value={row.tool} clamp mono />
      ),
  },
  ...DECISION_COLUMNS,
];
