// Smart groups and custom definitions, as the operator imported them.
import { useList } from '../api/tenant.ts';
import type { Column } from '../ui/DataTable.tsx';
import { Empty, ListView } from '../ui/ListView.tsx';
import { Name } from '../ui/Name.tsx';
import { Page, Section } from '../ui/Page.tsx';
import { gatewayTexts } from './texts.ts';
import type { CustomDefinition, SmartGroup } from './wire.ts';
import './gateway.css';

const t = gatewayTexts.catalogs;
const SHOWN_MAX = 5;

const GROUP_COLUMNS: Column<SmartGroup>[] = [
  { key: 'name', header: t.name, render: (group) => <Name value={group.group_name} /> },
  { key: 'description', header: t.description, render: (group) => group.description ?? '–' },
  {
    key: 'members',
    header: t.members,
    weight: 2,
    render: ({ members }) => <FirstItems items={members} />,
  },
];

const DEFINITION_COLUMNS: Column<CustomDefinition>[] = [
  { key: 'name', header: t.name, render: (definition) => <Name value={definition.name} /> },
  { key: 'id', header: t.id, render: (definition) => <Name value={definition.edm_id} /> },
  {
    key: 'description',
    header: t.description,
    render: (definition) => definition.description ?? '–',
  },
  {
    key: 'detects',
    header: t.detects,
    weight: 2,
    render: ({ patterns, values_count }) =>
      values_count === undefined ? (
        <FirstItems items={(patterns ?? []).map(({ pattern }) => pattern)} />
      ) : (
        t.values(values_count)
      ),
  },
];

export function CatalogsPage() {
  return (
    <Page title={t.title} lead={t.lead}>
      <div className="gw-stack">
        <Catalog
          title={t.groups}
          path="/gateway/smart-groups"
          rowKey={(group) => group.group_name}
          columns={GROUP_COLUMNS}
          empty={t.noGroups}
        />
        <Catalog
          title={t.definitions}
          path="/gateway/custom-definitions"
          rowKey={(definition) => definition.edm_id}
          columns={DEFINITION_COLUMNS}
          empty={t.noDefinitions}
        />
      </div>
    </Page>
  );
}

interface CatalogProps<Row> {
  title: string;
  path: string;
  rowKey: (row: Row) => string;
  columns: Column<Row>[];
  empty: string;
}

function Catalog<Row>({ title, path, rowKey, columns, empty }: CatalogProps<Row>) {
  const list = useList<Row>('gateway', path);
  return (
    <Section title={title}>
      <ListView
        bare
        list={list}
        caption={title}
        rowKey={rowKey}
        rowTestId="catalog-row"
        empty={<Empty title={empty} />}
        columns={columns}
      />
    </Section>
  );
}

/** The first items of a list, each on a line, and the number of the others. */
function FirstItems({ items }: { items: readonly string[] }) {
  const others = items.length - SHOWN_MAX;
  return (
    <>
      {items.slice(0, SHOWN_MAX).map((item) => (
        <div key={item}>
          <Name value={item} />
        </div>
      ))}
      {others > 0 ? t.others(others) : null}
    </>
  );
}
