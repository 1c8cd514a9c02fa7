// The table of policies, with the actions to explain, roll out, change and remove a policy.
import {
  type ListedOverride,
  OVERRIDE_SORTS,
  type OverrideSort,
  type OverrideState,
} from '@gatewarden/shared/wire/console/overrides.ts';
import type { Rollout } from '@gatewarden/shared/wire/console/rollouts.ts';
import { IconPencil, IconStairsUp, IconTrash } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { oneOf } from '../api/query-string.ts';
import { rowsOf, useList, useMayDecide } from '../api/tenant.ts';
import { driftPolicyTexts } from '../defaults/drift-policy-texts.ts';
import { EditProductPolicy, RemoveProductPolicy } from '../products/ProductPolicyActions.tsx';
import { texts } from '../texts.ts';
import { Badge, RolloutBadge } from '../ui/Badges.tsx';
import type { Column, SortState } from '../ui/DataTable.tsx';
import { ListView } from '../ui/ListView.tsx';
import { Name } from '../ui/Name.tsx';
import { RowAction } from '../ui/RowAction.tsx';
import { Time } from '../ui/Time.tsx';
import { UserLink } from '../users/UserLink.tsx';
import { WhyButton } from '../why/WhyButton.tsx';
import { EditDecision } from './EditDecision.tsx';
import { MatchText, NamedMatch, ScopeText } from './MatchText.tsx';
import { PolicyStepBadge } from './PolicyStepBadge.tsx';
import { ProductName, productLabel, SubjectName, SubjectPlatform } from './PolicySubject.tsx';
import { policyTexts } from './policy-texts.ts';
import { RolloutDialog } from './RolloutDialog.tsx';
import { WithdrawDecision } from './WithdrawDecision.tsx';
import './policies.css';

interface DecisionTableProps {
  /** Limits the table to policies that may apply to this app. */
  concerns?: string;
  /** Limits the table to policies that name this app by its id. */
  entityId?: string | undefined;
  /** Limits the table to policies with a rollout in this state. */
  rollout?: Rollout['state'] | undefined;
  bare?: boolean;
  /** Limits the table to this state; left out: all policies that are not removed. */
  state?: OverrideState | undefined;
  overrideId?: string | undefined;
  /** The order, and how a header changes it; left out: newest first, without sortable headers. */
  sort?: { value: OverrideSort; onSort: (value: OverrideSort) => void } | undefined;
  empty: ReactNode;
}

type Opened = { what: 'edit' | 'withdraw' | 'rollout'; override: ListedOverride } | null;

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
    sort: sort?.value,
  });
  const mayDecide = useMayDecide();
  const [opened, setOpened] = useState<Opened>(null);
  const hasEnds = rowsOf(list).some((row) => row.expires_at !== null);
  const isByEnd = sort?.value === 'expires_at';
  const shown = hasEnds || isByEnd ? COLUMNS : COLUMNS.filter(({ key }) => key !== 'ends');
  return (
    <>
      <ListView
        list={list}
        bare={bare}
        dense={!bare}
        caption={texts.decisions.title}
        columns={[...shown, actionColumn(mayDecide, setOpened)]}
        rowKey={(row) => row.override_id}
        rowTestId="decision-row"
        {...(sort === undefined ? {} : { sort: sortState(sort) })}
        empty={empty}
      />
      {opened === null ? null : <OpenedAction {...opened} onClose={() => setOpened(null)} />}
    </>
  );
}

/** The dialog of an action; a product policy is changed and removed as a whole. */
function OpenedAction({ what, override, onClose }: NonNullable<Opened> & { onClose: () => void }) {
  const { product, product_policy_id: policyId } = override;
  if (what === 'rollout') return <RolloutDialog override={override} onClose={onClose} />;
  if (product === null || policyId === null) {
    return what === 'edit' ? (
      <EditDecision override={override} onClose={onClose} />
    ) : (
      <WithdrawDecision override={override} onClose={onClose} />
    );
  }
  return what === 'edit' ? (
    <EditProductPolicy policyId={policyId} productId={product.product_id} onClosed={onClose} />
  ) : (
    <RemoveProductPolicy policyId={policyId} name={productLabel(product)} onClosed={onClose} />
  );
}

const actionColumn = (
  mayDecide: boolean,
  open: (opened: Opened) => void,
): Column<ListedOverride> => ({
  key: 'actions',
  weight: 1.7,
  header: texts.ui.actions,
  hiddenHeader: true,
  align: 'end',
  render: (override) => (
    <SubjectName override={override}>
      {(name) => (
        <div className="gw-row-actions">
          <WhyButton of={`decision.${override.override_id}`} name={name} />
          {mayDecide && isOfPeople(override) ? (
            <ChangeButtons override={override} name={name} open={open} />
          ) : null}
        </div>
      )}
    </SubjectName>
  ),
});

interface ChangeButtonsProps {
  override: ListedOverride;
  name: string;
  open: (opened: Opened) => void;
}

/** A product policy has no rollout in stages. */
function ChangeButtons({ override, name, open }: ChangeButtonsProps) {
  const subject = override.product === null ? name : productLabel(override.product);
  const buttons = [
    { what: 'rollout', label: texts.rollout.buttonNamed(subject), Icon: IconStairsUp },
    { what: 'edit', label: texts.decisions.editNamed(subject), Icon: IconPencil },
    { what: 'withdraw', label: texts.decisions.withdrawNamed(subject), Icon: IconTrash },
  ] as const;
  return buttons
    .filter(({ what }) => what !== 'rollout' || override.product === null)
    .map(({ what, label, Icon }) => (
      <RowAction key={what} label={label} Icon={Icon} onClick={() => open({ what, override })} />
    ));
}

/** The order of the page where none is chosen: by a column that the table shows. */
export const LAST_CHANGED_FIRST: OverrideSort = '-updated_at';

const sortState = ({ value, onSort }: NonNullable<DecisionTableProps['sort']>): SortState => ({
  value,
  onSort: (chosen) => {
    const order = oneOf(OVERRIDE_SORTS, chosen);
    // A second click on the header in force returns to the usual order.
    if (order !== undefined) onSort(order === value ? LAST_CHANGED_FIRST : order);
  },
});

/** Returns true if a user can change the row: defaults have a page of their own, and a drift hold ends with the review. */
const isOfPeople = (row: ListedOverride) =>
  row.default_kind === null && !row.drift_hold && row.state !== 'withdrawn';

const COLUMNS: readonly Column<ListedOverride>[] = [
  {
    key: 'match',
    weight: 2.1,
    least: 190,
    header: texts.decisions.match,
    render: (row) =>
      row.product !== null ? (
        <ProductName product={row.product} />
      ) : (
        <NamedMatch match={row.match}>
          {(name) => (
            <div className="gw-clamp gw-about" title={name}>
              <MatchText match={row.match} isPlatformShown={false} />
            </div>
          )}
        </NamedMatch>
      ),
  },
  {
    key: 'platform',
    weight: 1.5,
    header: texts.decisions.platform,
    render: (row) => <SubjectPlatform override={row} />,
  },
  {
    key: 'decision',
    weight: 1.5,
    header: policyTexts.label,
    sort: { value: '-execution_policy', direction: 'descending' },
    render: (row) => (
      <div className="gw-inline-badges">
        <PolicyStepBadge policy={row} />
        <InForce row={row} />
        {row.default_kind === null ? null : <Badge tone="plain">{texts.defaults.badge}</Badge>}
        {row.drift_hold ? <Badge tone="plain">{driftPolicyTexts.badge}</Badge> : null}
      </div>
    ),
  },
  {
    key: 'scope',
    weight: 1.6,
    least: 150,
    header: texts.decisions.scope,
    render: (row) => <ScopeCell row={row} />,
  },
  {
    key: 'reason',
    weight: 0.85,
    least: 100,
    header: texts.decisions.reason,
    wideOnly: true,
    render: (row) =>
      row.reason === null ? (
        <span className="gw-dimmed">{texts.ui.none}</span>
      ) : (
        <Name value={row.reason} clamp />
      ),
  },
  {
    key: 'ends',
    weight: 1.0,
    header: texts.decisions.ends,
    sort: { value: 'expires_at', direction: 'ascending' },
    render: (row) => <Time at={row.expires_at} />,
  },
  {
    key: 'changed',
    weight: 1.35,
    header: texts.decisions.changed,
    sort: { value: '-updated_at', direction: 'descending' },
    render: (row) => <Time at={row.updated_at} />,
  },
  {
    key: 'by',
    weight: 1.45,
    least: 110,
    wideOnly: true,
    header: texts.decisions.by,
    render: (row) => <UserLink value={row.updated_by} />,
  },
];

/** The scope of a policy, and the progress of its rollout. */
function ScopeCell({ row: { scope, rollout, rollout_percent: percent } }: { row: ListedOverride }) {
  return (
    <span className="gw-text-and-chips">
      <span>
        <ScopeText scope={scope} />
        {percent === 100 || rollout !== null ? null : (
          <span className="gw-dimmed gw-small">{texts.decisions.rollout(percent)}</span>
        )}
      </span>
      {rollout === null ? null : <RolloutBadge state={rollout.state} percent={percent} />}
    </span>
  );
}

/** Shows the state of a stored policy that is not in force. */
function InForce({ row }: { row: ListedOverride }) {
  if (row.state === 'in_force') return null;
  return (
    <Badge tone="plain">
      {texts.decisions.states[row.state]}{' '}
      {row.state === 'planned' ? <Time at={row.effective_at} /> : null}
    </Badge>
  );
}
