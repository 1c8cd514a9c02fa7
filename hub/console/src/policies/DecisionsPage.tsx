// All policies of the tenant, with a filter by state: also removed, expired and superseded policies.
import { OVERRIDE_STATES } from '@gatewarden/shared/wire/console/overrides.ts';
import { ROLLOUT_STATES } from '@gatewarden/shared/wire/console/rollouts.ts';
import { Button } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { texts } from '../texts.ts';
import { Downloads } from '../ui/Downloads.tsx';
import { Filter } from '../ui/Filter.tsx';
import { Empty } from '../ui/ListView.tsx';
import { Page } from '../ui/Page.tsx';
import { DecisionTable, LAST_CHANGED_FIRST } from './DecisionTable.tsx';
import { EmergencyStop } from './EmergencyStop.tsx';

const route = getRouteApi('/t/$tenantId/policies');

export function DecisionsPage() {
  const { state, rollout, entity_id: entityId, override_id: overrideId, sort } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <Page
      title={texts.decisions.title}
      lead={texts.decisions.lead}
      actions={
        <div className="gw-row-actions">
          <EmergencyStop />
          <Downloads
            path="/overrides/download"
            filter={{
              ...{ state, rollout, entity_id: entityId, override_id: overrideId },
              sort: sort ?? LAST_CHANGED_FIRST,
            }}
          />
        </div>
      }
    >
      <div className="gw-filters">
        <Filter
          label={texts.decisions.state}
          all={texts.decisions.notWithdrawn}
          values={OVERRIDE_STATES}
          names={texts.decisions.states}
          value={state}
          onChange={(chosen) =>
            void navigate({
              search: (former) => ({ ...former, state: chosen }),
              replace: true,
            })
          }
        />
        <Filter
          label={texts.rollout.button}
          values={ROLLOUT_STATES}
          names={texts.rollout.states}
          value={rollout}
          onChange={(chosen) =>
            void navigate({
              search: (former) => ({ ...former, rollout: chosen }),
              replace: true,
            })
          }
        />
        {overrideId === undefined && entityId === undefined ? null : (
          <Button
            variant="default"
            onClick={() =>
              void navigate({
                search: { state, rollout, sort },
                replace: true,
              })
            }
          >
            {texts.ui.clearFilters}
          </Button>
        )}
      </div>
      <DecisionTable
        state={state}
        overrideId={overrideId}
        rollout={rollout}
        entityId={entityId}
        sort={{
          value: sort ?? LAST_CHANGED_FIRST,
          onSort: (chosen) =>
            void navigate({
              search: (former) => ({
                ...former,
                sort: chosen === LAST_CHANGED_FIRST ? undefined : chosen,
              }),
              replace: true,
            }),
        }}
        empty={
          [state, rollout, entityId, overrideId].every((item) => item === undefined) ? (
            <Empty title={texts.decisions.empty} text={texts.decisions.emptyText} />
          ) : (
            <Empty title={texts.ui.noMatch} />
          )
        }
      />
    </Page>
  );
}
