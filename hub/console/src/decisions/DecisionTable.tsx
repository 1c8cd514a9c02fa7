// The table of policies, with the actions to explain, roll out, change and remove a policy.
import {
  type ListedOverride,
  OVERRIDE_SORTS,
  type Override,
  type OverrideSort,
  type OverrideState,
} from '@gatewarden/shared/wire/console/overrides.ts';
import type { Rollout } from '@gatewarden/shared/wire/console/rollouts.ts';
import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { oneOf } from '../api/query-string.ts';
import { useList, useMayDecide } from '../api/tenant.ts';
import { driftPolicyTexts } from '../defaults/drift-policy-texts.ts';
import { texts } from '../texts.ts';
import { Badge, RolloutBadge } from '../ui/Badges.tsx';
import type { Column, SortState } from '../ui/DataTable.tsx';
import { ListView } from '../ui/ListView.tsx';
import { Name } from '../ui/Name.tsx';
import { Time } from '../ui/Time.tsx';
import { WhenAndWho } from '../ui/WhenAndWho.tsx';
import { WhyButton } from '../why/WhyButton.tsx';
import { EditDecision } from './EditDecision.tsx';
import { MatchText, NamedMatch, ScopeText } from './MatchText.tsx';
import { PolicyStepBadge } from './PolicyStepBadge.tsx';
import { ProductSubject, SubjectName } from './PolicySubject.tsx';
import { RolloutDialog } from './RolloutDialog.tsx';
import { WithdrawDecision } from './WithdrawDecision.tsx';
import './decisions.css';

interface DecisionTableProps {
  /** Only policies that may apply to this application. */
  concerns?: string;
  /** Only decisions that name this application by its id. */
  entityId?: string | undefined;
  /** Only those with a rollout in this state. */
  rollout?: Rollout['state'] | undefined;
  bare?: boolean;
  /** Only those; left out: all that were not withdrawn. */
  state?: OverrideState | undefined;
  overrideId?: string | undefined;
  /** The order, and how a header changes it; left out: newest first, without sortable headers. */
  sort?: { value: OverrideSort; onSort: (value: OverrideSort) => void } | undefined;
  empty: ReactNode;
}

type Opened = { what: 'edit' | 'withdraw' | 'rollout'; override: Override } | null;

export function DecisionTable({
  concerns,
  entityId,
  rollout,
  bare = false,
  state,
  overrideId,
  sort,
  empty,
}: DecisionTableProps) {
  const list = useList<ListedOverride>('overrides', '/overrides', {
    concerns,
    entity_id: entityId,
    rollout,
    state,
    override_id: overrideId,
    product_policies: overrideId === undefined ? 'once' : undefined,
    sort: sort?.value === NEWEST_FIRST ? undefined : sort?.value,
  });
  const mayDecide = useMayDecide();
  const [opened, setOpened] = useState<Opened>(null);
  const close = () => {
    setOpened(null);
  };
  const columns = [ABOUT, DECISION, SCOPE, ...COLUMNS];
  const actions: Column<ListedOverride> = {
    key: 'actions',
    weight: 2.8,
    header: texts.ui.actions,
    hiddenHeader: true,
    align: 'end',
    render: (override) => (
      <SubjectName override={override}>
        {(name) => (
          <div className="gw-row-actions">
            <WhyButton of={`decision.${override.override_id}`} name={name} />
            {mayDecide && isOfPeople(override) ? (
              <>
                <Button
                  size="xs"
                  variant="default"
                  aria-label={texts.rollout.buttonNamed(name)}
                  onClick={() => {
                    setOpened({ what: 'rollout', override });
                  }}
                >
                  {texts.rollout.button}
                </Button>
                <Button
                  size="xs"
                  variant="default"
                  aria-label={texts.decisions.editNamed(name)}
                  onClick={() => {
                    setOpened({ what: 'edit', override });
                  }}
                >
                  {texts.decisions.edit}
                </Button>
                <Button
                  size="xs"
                  variant="default"
                  aria-label={texts.decisions.withdrawNamed(name)}
                  onClick={() => {
                    setOpened({ what: 'withdraw', override });
                  }}
                >
                  {texts.decisions.withdraw}
                </Button>
              </>
            ) : null}
          </div>
        )}
      </SubjectName>
    ),
  };
  return (
    <>
      <ListView
        list={list}
        bare={bare}
        dense={!bare}
        caption={texts.decisions.title}
        columns={[...columns, actions]}
        rowKey={(row) => row.override_id}
        rowTestId="decision-row"
        {...(sort === undefined ? {} : { sort: sortState(sort) })}
        empty={empty}
      />
      {opened?.what === 'edit' ? <EditDecision override={opened.override} onClose={close} /> : null}
      {opened?.what === 'withdraw' ? (
        <WithdrawDecision override={opened.override} onClose={close} />
      ) : null}
      {opened?.what === 'rollout' ? (
        <RolloutDialog override={opened.override} onClose={close} />
      ) : null}
    </>
  );
}

/** The order of the hub where none is chosen. */
export const NEWEST_FIRST: OverrideSort = '-created_at';

const sortState = ({ value, onSort }: NonNullable<DecisionTableProps['sort']>): SortState => ({
  value,
  onSort: (chosen) => {
    const order = oneOf(OVERRIDE_SORTS, chosen);
    // A second click on the header in force returns to the usual order.
    if (order !== undefined) onSort(order === value ? NEWEST_FIRST : order);
  },
});

/** A default policy and a product policy are changed in their own place, and what holds drift goes with the review. */
const isOfPeople = (row: ListedOverride) =>
  row.default_kind === null && row.product === null && !row.drift_hold && row.state !== 'withdrawn';

const ABOUT: Column<ListedOverride> = {
  key: 'match',
  weight: 1.8,
  header: texts.decisions.match,
  render: (row) =>
    row.product !== null ? (
      <ProductSubject product={row.product} />
    ) : (
      <NamedMatch match={row.match}>
        {(name) => (
          <div className="gw-clamp gw-about" title={name}>
            <MatchText match={row.match} />
          </div>
        )}
      </NamedMatch>
    ),
};

const DECISION: Column<ListedOverride> = {
  key: 'decision',
  weight: 1.7,
  header: texts.decisions.approval,
  sort: { value: '-execution_policy', direction: 'descending' },
  render: (row) => (
    <div className="gw-inline-badges">
      <PolicyStepBadge policy={row} />
      <InForce row={row} />
      {row.default_kind === null ? null : <Badge tone="plain">{texts.defaults.badge}</Badge>}
      {row.drift_hold ? <Badge tone="plain">{driftPolicyTexts.badge}</Badge> : null}
    </div>
  ),
};

const SCOPE: Column<ListedOverride> = {
  key: 'scope',
  weight: 1.5,
  header: texts.decisions.scope,
  render: (row) => <ScopeCell row={row} />,
};

const COLUMNS: readonly Column<ListedOverride>[] = [
  {
    key: 'reason',
    weight: 1.7,
    header: texts.decisions.reason,
    render: (row) =>
      row.reason === null ? (
        <span className="gw-dimmed">{texts.ui.none}</span>
      ) : (
        <Name value={row.reason} clamp />
      ),
  },
  {
    key: 'ends',
    weight: 1.1,
    header: texts.decisions.ends,
    sort: { value: 'expires_at', direction: 'ascending' },
    render: (row) => <Time at={row.expires_at} />,
  },
  {
    key: 'changed',
    weight: 1.5,
    header: texts.decisions.changed,
    sort: { value: '-updated_at', direction: 'descending' },
    render: (row) => <WhenAndWho at={row.updated_at} by={row.updated_by} />,
  },
];

/** The scope of a policy, and the progress of its rollout. */
function ScopeCell({ row }: { row: ListedOverride }) {
  return (
    <div>
      <ScopeText scope={row.scope} />
      {row.rollout_percent === 100 ? null : (
        <div className="gw-dimmed gw-small">{texts.decisions.rollout(row.rollout_percent)}</div>
      )}
      {row.rollout === null ? null : (
        <div>
          <RolloutBadge state={row.rollout.state} />
        </div>
      )}
    </div>
  );
}

/** Says so where a decision is stored but not in force now. */
function InForce({ row }: { row: ListedOverride }) {
  if (row.state === 'in_force') return null;
  return (
    <Badge tone="plain">
      {texts.decisions.states[row.state]}{' '}
      {row.state === 'planned' ? <Time at={row.effective_at} /> : null}
    </Badge>
  );
}
