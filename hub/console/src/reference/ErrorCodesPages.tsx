// All error codes, and the page of an error code with cause and fix.
import type { ExplainedError } from '@gatewarden/shared/wire/console/error-codes.ts';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useTenant } from '../api/tenant.ts';
import { type Column, DataTable } from '../ui/DataTable.tsx';
import { Fact, Facts } from '../ui/Facts.tsx';
import { Filter } from '../ui/Filter.tsx';
import { Empty } from '../ui/ListView.tsx';
import { CrumbText, Page, Section } from '../ui/Page.tsx';
import { shownOf, Waiting } from '../ui/Waiting.tsx';
import { Prose } from './Prose.tsx';
import { referenceTexts, errorCodeTexts as t } from './texts.ts';
import { useErrorCodes } from './use-reference.ts';

const listRoute = getRouteApi('/t/$tenantId/settings/api-reference/errors');
const oneRoute = getRouteApi('/t/$tenantId/settings/api-reference/errors/$code');

const COLUMNS: readonly Column<ExplainedError>[] = [
  { key: 'code', header: t.code, weight: 2, render: (row) => <CodeLink code={row.code} /> },
  { key: 'status', header: t.status, render: (row) => row.status },
  { key: 'cause', header: t.cause, weight: 4, render: (row) => <Prose text={row.cause} /> },
];

function CodeLink({ code }: { code: string }) {
  const { tenantId } = useTenant();
  return (
    <Link
      to="/t/$tenantId/settings/api-reference/errors/$code"
      params={{ tenantId, code }}
      className="gw-link gw-mono"
    >
      {code}
    </Link>
  );
}

export function ErrorCodesPage() {
  const { tenantId } = useTenant();
  const answer = useErrorCodes();
  const all = shownOf(answer)?.errors;
  const { status } = listRoute.useSearch();
  const navigate = listRoute.useNavigate();
  const statuses = [...new Set(all?.map((item) => String(item.status)))].sort();
  const shown = all?.filter((item) => status === undefined || String(item.status) === status) ?? [];
  const sections = [...new Set(shown.map((item) => item.section))];
  return (
    <Page
      title={t.title}
      lead={t.lead}
      crumb={
        <Link to="/t/$tenantId/settings/api-reference" params={{ tenantId }} className="gw-crumb">
          <CrumbText>{referenceTexts.title}</CrumbText>
        </Link>
      }
    >
      <Waiting answer={answer} />
      {all === undefined ? null : (
        <>
          <div className="gw-filters">
            <Filter
              label={t.withStatus}
              values={statuses}
              names={Object.fromEntries(statuses.map((item) => [item, item]))}
              value={status}
              onChange={(next) => void navigate({ search: { status: next }, replace: true })}
            />
          </div>
          <div className="gw-stack">
            {sections.map((section) => (
              <Section key={section} title={section}>
                <DataTable
                  caption={section}
                  columns={COLUMNS}
                  rows={shown.filter((item) => item.section === section)}
                  rowKey={(row) => row.code}
                  rowTestId="error-code-row"
                />
              </Section>
            ))}
            {sections.length === 0 ? <Empty title={t.none} text={t.noneText} /> : null}
          </div>
        </>
      )}
    </Page>
  );
}

export function ErrorCodePage() {
  const { tenantId } = useTenant();
  const { code } = oneRoute.useParams();
  const answer = useErrorCodes();
  const all = shownOf(answer)?.errors;
  const item = all?.find((known) => known.code === code);
  return (
    <Page
      title={code}
      crumb={
        <Link
          to="/t/$tenantId/settings/api-reference/errors"
          params={{ tenantId }}
          className="gw-crumb"
        >
          <CrumbText>{t.title}</CrumbText>
        </Link>
      }
      lead={item?.section}
    >
      <Waiting answer={answer} />
      {all !== undefined && item === undefined ? (
        <div className="gw-card">
          <Empty title={t.unknown} text={t.unknownText} />
        </div>
      ) : null}
      {item === undefined ? null : (
        <Section title={t.about(item.code)}>
          <Facts>
            <Fact name={t.status}>{item.status}</Fact>
            <Fact name={t.cause} wide>
              <Prose text={item.cause} />
            </Fact>
            <Fact name={t.cure} wide>
              <Prose text={item.cure} />
            </Fact>
          </Facts>
        </Section>
      )}
    </Page>
  );
}
