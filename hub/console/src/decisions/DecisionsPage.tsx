// Every decision of the tenant.
import { texts } from '../texts.ts';
import { Empty } from '../ui/ListView.tsx';
import { Page } from '../ui/Page.tsx';
import { DecisionTable } from './DecisionTable.tsx';
import { EmergencyStop } from './EmergencyStop.tsx';

export function DecisionsPage() {
  return (
    <Page title={texts.decisions.title} lead={texts.decisions.lead}>
      <EmergencyStop />
      <DecisionTable
        empty={<Empty title={texts.decisions.empty} text={texts.decisions.emptyText} />}
      />
    </Page>
  );
}
