// Smart groups and custom definitions, as the operator imported them.
import { useList } from '../api/tenant.ts';
import { Json } from '../ui/Json.tsx';
import { Empty, ListView } from '../ui/ListView.tsx';
import { Name } from '../ui/Name.tsx';
import { Page, Section } from '../ui/Page.tsx';
import { gatewayTexts } from './texts.ts';
import './gateway.css';

const t = gatewayTexts.catalogs;
type CatalogRecord = Record<string, unknown>;

export function CatalogsPage() {
  return (
    <Page title={t.title} lead={t.lead}>
      <div className="gw-stack">
        <Catalog title={t.groups} path="/gateway/smart-groups" id="group_name" empty={t.noGroups} />
        <Catalog
          title={t.definitions}
          path="/gateway/custom-definitions"
          id="edm_id"
          empty={t.noDefinitions}
        />
      </div>
    </Page>
  );
}

interface CatalogProps {
  title: string;
  path: string;
  /** The field that names a record. */
  id: string;
  empty: string;
}

function Catalog({ title, path, id, empty }: CatalogProps) {
  const list = useList<CatalogRecord>('gateway', path);
  const nameOf = (record: CatalogRecord) => String(record[id] ?? '');
  return (
    <Section title={title}>
      <ListView
        bare
        list={list}
        caption={title}
        rowKey={nameOf}
        rowTestId="catalog-row"
        empty={<Empty title={empty} />}
        columns={[
          { key: 'name', header: t.name, render: (row) => <Name value={nameOf(row)} /> },
          {
            key: 'record',
            header: t.record,
            weight: 3,
            render: (row) => <Json value={row} label={`${t.record}: ${nameOf(row)}`} />,
          },
        ]}
      />
    </Section>
  );
}
