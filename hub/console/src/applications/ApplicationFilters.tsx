// The filters of the list of apps.
import { POLICY_STEPS } from '@gatewarden/shared/policy-scale.ts';
import { APPROVAL_STATUSES, ENTITY_KINDS } from '@gatewarden/shared/wire/vocabulary.ts';
import { getRouteApi } from '@tanstack/react-router';
import { policyTexts } from '../policies/policy-texts.ts';
import { texts } from '../texts.ts';
import { Filter } from '../ui/Filter.tsx';
import { MoreFilters } from '../ui/MoreFilters.tsx';
import { SearchBox } from '../ui/SearchBox.tsx';
import { TextFilter } from '../ui/TextFilter.tsx';

const route = getRouteApi('/t/$tenantId/inventory/all');

export type Search = ReturnType<typeof route.useSearch>;

import { reviewTexts as words } from './review-texts.ts';

export function isFiltered({ sort: _sort, ...filters }: Search): boolean {
  return Object.values(filters).some((value) => value !== undefined);
}

interface FiltersProps {
  search: Search;
  narrow: (change: Partial<Search>) => void;
}

export function ApplicationFilters({ search, narrow }: FiltersProps) {
  return (
    <div className="gw-filters">
      <SearchBox
        label={texts.applications.search}
        placeholder={texts.applications.searchPlaceholder}
        value={search.query}
        onChange={(query) => {
          narrow({ query });
        }}
      />
      <Filter
        label={texts.applications.kind}
        values={ENTITY_KINDS}
        names={texts.kinds}
        value={search.kind}
        onChange={(kind) => {
          narrow({ kind });
        }}
      />
      <Filter
        label={texts.applications.approval}
        values={APPROVAL_STATUSES}
        names={texts.approvals}
        value={search.approval_status}
        onChange={(approval_status) => {
          narrow({ approval_status });
        }}
      />
      <MoreFilters chosen={[search.policy_step]}>
        <Filter
          label={policyTexts.label}
          values={POLICY_STEPS}
          names={policyTexts.steps}
          value={search.policy_step}
          onChange={(policy_step) => {
            narrow({ policy_step });
          }}
        />
      </MoreFilters>
      {search.subscriber_id === undefined ? null : (
        <TextFilter
          label={texts.devices.person}
          value={search.subscriber_id}
          onChange={(subscriber_id) => {
            narrow({ subscriber_id });
          }}
        />
      )}
      <Filter
        label={words.changed}
        values={['true', 'false'] as const}
        names={words.changedNames}
        value={search.drifted}
        onChange={(drifted) => {
          narrow({ drifted });
        }}
      />
      <Filter
        label={words.fresh}
        values={['week'] as const}
        names={words.freshNames}
        value={search.fresh}
        onChange={(fresh) => {
          narrow({ fresh });
        }}
      />
    </div>
  );
}
