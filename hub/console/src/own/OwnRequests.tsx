// The user's access requests and their results, which update live.
import type { OwnAccessRequest } from '@gatewarden/shared/wire/console/access-requests.ts';
import { useList } from '../api/tenant.ts';
import { navTexts } from '../app/nav-texts.ts';
import { aboutRequest, Outcome } from '../requests/RequestCells.tsx';
import { requestTexts as words } from '../requests/texts.ts';
import type { Column } from '../ui/DataTable.tsx';
import { Empty, ListView } from '../ui/ListView.tsx';
import { Name } from '../ui/Name.tsx';
import { Page, Section } from '../ui/Page.tsx';
import { Time } from '../ui/Time.tsx';

/** The user's own access requests of all devices. */
export function MyAccessRequestsPage() {
  return (
    <Page title={navTexts.my.requests} lead={words.ownLead}>
      <OwnRequests />
    </Page>
  );
}

export function OwnRequests() {
  const list = useList<OwnAccessRequest>('access-requests', '/own/access-requests', { limit: 20 });
  return (
    <Section title={words.own}>
      <ListView
        bare
        list={list}
        caption={words.own}
        columns={COLUMNS}
        rowKey={(row) => row.access_request_id}
        rowTestId="own-request-row"
        empty={<Empty title={words.ownEmpty} />}
      />
    </Section>
  );
}

const COLUMNS: readonly Column<OwnAccessRequest>[] = [
  {
    key: 'what',
    weight: 1.6,
    header: words.what,
    render: (row) => (
      <div>
        <Name value={aboutRequest(row)} clamp />
        <div className="gw-dimmed gw-small">
          <Name value={row.hostname} clamp />
        </div>
      </div>
    ),
  },
  {
    key: 'why',
    weight: 2,
    header: words.why,
    render: (row) => <Name value={row.reason} clamp />,
  },
  { key: 'asked', header: words.asked, render: (row) => <Time at={row.asked_at} /> },
  {
    key: 'outcome',
    weight: 1.8,
    header: words.outcome,
    render: (row) => <Outcome row={row} />,
  },
];
