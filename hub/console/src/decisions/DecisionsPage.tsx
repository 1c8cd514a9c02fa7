// Every decision of the tenant.
import { texts } from '../texts.ts';
import { Empty } from '../ui/ListView.tsx';
import { Page } from '../ui/Page.tsx';
import { DecisionTable } from './DecisionTable.tsx';

export function DecisionsPage() {
  return (
    <Page title={texts.decisions.title} lead={texts.decisions.lead}>
      <DecisionTable
        empty={<Empty title={texts.decisions.empty} text={texts.decisions.emptyText} />}
      />
    </Page>
  );
}
