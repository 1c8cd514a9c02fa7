// The user's own calls or LLM requests, newest first. The URL contains the filter by outcome.
import type { ReadTopic } from '../api/keys.ts';
import { useList } from '../api/tenant.ts';
import { texts } from '../texts.ts';
import type { Column } from '../ui/DataTable.tsx';
import { Filter } from '../ui/Filter.tsx';
import { Empty, ListView } from '../ui/ListView.tsx';
import { Page } from '../ui/Page.tsx';

type Blocked = 'true' | 'false' | undefined;

interface OwnLogPageProps<Row> {
  words: {
    title: string;
    lead: string;
    outcome: string;
    only: Readonly<Record<'true' | 'false', string>>;
    empty: string;
    emptyText: string;
  };
  topic: ReadTopic;
  path: string;
  columns: readonly Column<Row>[];
  rowKey: (row: Row) => string;
  rowTestId: string;
  blocked: Blocked;
  onBlocked: (blocked: Blocked) => void;
}

export function OwnLogPage<Row>(props: OwnLogPageProps<Row>) {
  const { words, topic, path, blocked, onBlocked, ...table } = props;
  const list = useList<Row>(topic, path, { blocked });
  return (
    <Page title={words.title} lead={words.lead}>
      <div className="gw-filters">
        <Filter
          label={words.outcome}
          values={['true', 'false'] as const}
          names={words.only}
          value={blocked}
          onChange={onBlocked}
        />
      </div>
      <ListView
        {...table}
        list={list}
        caption={words.title}
        empty={
          blocked === undefined ? (
            <Empty title={words.empty} text={words.emptyText} />
          ) : (
            <Empty title={texts.ui.noMatch} />
          )
        }
      />
    </Page>
  );
}
