// Policies that reach their devices ring by ring, by the state of their rollout.
import { ROLLOUT_STATES } from '@gatewarden/shared/wire/console/rollouts.ts';
import { getRouteApi } from '@tanstack/react-router';
import { navTexts } from '../app/nav-texts.ts';
import { texts } from '../texts.ts';
import { Filter } from '../ui/Filter.tsx';
import { Empty } from '../ui/ListView.tsx';
import { Page } from '../ui/Page.tsx';
import { DecisionTable } from './DecisionTable.tsx';
import { EmergencyStop } from './EmergencyStop.tsx';

const route = getRouteApi('/t/$tenantId/policies/rollouts');

export function RolloutsPage() {
  const { rollout = 'running' } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <Page
      title={navTexts.policies.rollouts}
      lead={texts.rollout.pageLead}
      actions={<EmergencyStop />}
    >
      <div className="gw-filters">
        <Filter
          label={texts.rollout.stateFilter}
          all={null}
          values={ROLLOUT_STATES}
          names={texts.rollout.states}
          value={rollout}
          onChange={(state) => void navigate({ search: { rollout: state }, replace: true })}
        />
      </div>
      <DecisionTable
        rollout={rollout}
        empty={
          <Empty
            title={texts.rollout.noneInState(texts.rollout.states[rollout])}
            text={texts.rollout.pageEmptyText}
          />
        }
      />
    </Page>
  );
}
