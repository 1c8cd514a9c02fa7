// Keys and tokens of the organization that expire soon, and leaked keys.
import type { EndingKey, EndingKeysAnswer } from '@gatewarden/shared/wire/console/ending-keys.ts';
import { useResource } from '../api/tenant.ts';
import { type Column, DataTable } from '../ui/DataTable.tsx';
import { Empty } from '../ui/ListView.tsx';
import { Name } from '../ui/Name.tsx';
import { Section } from '../ui/Page.tsx';
import { Time } from '../ui/Time.tsx';
import { shownOf, Waiting } from '../ui/Waiting.tsx';
import { UserLink } from '../users/UserLink.tsx';
import { AdminsOnly } from './AdminsOnly.tsx';
import { keysTexts } from './keys-texts.ts';
import { LeakedKeys } from './LeakedKeys.tsx';

const words = keysTexts.ending;

export function KeysPage() {
  return (
    <AdminsOnly title={keysTexts.title} lead={keysTexts.lead}>
      <div className="gw-stack">
        <ExpiringKeys />
        <LeakedKeys />
      </div>
    </AdminsOnly>
  );
}

function ExpiringKeys() {
  const answer = useResource<EndingKeysAnswer>('ending-keys', '/ending-keys');
  const shown = shownOf(answer);
  if (shown === undefined) return <Waiting answer={answer} />;
  return (
    <Section title={words.title}>
      <p className="gw-flat gw-dimmed">{words.lead(shown.days)}</p>
      {shown.items.length === 0 ? (
        <Empty title={words.empty} text={words.emptyText} />
      ) : (
        <>
          <DataTable
            caption={words.title}
            columns={COLUMNS}
            rows={shown.items}
            rowKey={(row) => row.key_id}
            rowTestId="ending-key-row"
          />
          {shown.is_cut ? <p className="gw-flat">{words.cut(shown.items.length)}</p> : null}
        </>
      )}
    </Section>
  );
}

const COLUMNS: readonly Column<EndingKey>[] = [
  { key: 'kind', header: keysTexts.leaked.kind, render: (row) => keysTexts.kinds[row.kind] },
  {
    key: 'name',
    header: keysTexts.leaked.name,
    weight: 2,
    render: (row) => <Name value={row.name} clamp />,
  },
  {
    key: 'by',
    header: words.by,
    weight: 2,
    render: (row) => (row.created_by === null ? words.nobody : <UserLink value={row.created_by} />),
  },
  {
    key: 'used',
    header: keysTexts.leaked.used,
    render: (row) =>
      row.last_used_at === null ? keysTexts.leaked.neverUsed : <Time at={row.last_used_at} />,
  },
  { key: 'ends', header: words.ends, render: (row) => <Time at={row.expires_at} /> },
];
