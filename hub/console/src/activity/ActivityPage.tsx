// The activity of the tenant, or, by the URL, of a device or an app.
import { ACTIVITY_SORTS } from '@gatewarden/shared/wire/console/time-sorts.ts';
import { getRouteApi } from '@tanstack/react-router';
import { oneOf } from '../api/query-string.ts';
import { texts } from '../texts.ts';
import { Downloads } from '../ui/Downloads.tsx';
import { Page } from '../ui/Page.tsx';
import { SearchBox } from '../ui/SearchBox.tsx';
import { AppFilter, DeviceFilter } from './ActivityFilters.tsx';
import { ActivityTable } from './ActivityTable.tsx';

/** The order of the hub where none is chosen. */
const NEWEST_FIRST = '-time';

const route = getRouteApi('/t/$tenantId/activity/enforcement');

export function ActivityPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { why: _why, ...filter } = search;
  const narrow = (change: Partial<typeof filter>) =>
    void navigate({ search: (former) => ({ ...former, ...change }), replace: true });
  return (
    <Page
      title={texts.activity.title}
      lead={texts.activity.lead}
      actions={<Downloads path="/activity/download" filter={filter} />}
    >
      <div className="gw-filters">
        <SearchBox
          label={texts.activity.search}
          placeholder={texts.activity.searchPlaceholder}
          value={search.query}
          onChange={(query) => narrow({ query })}
        />
        <DeviceFilter value={search.device_id} onChange={(device_id) => narrow({ device_id })} />
        <AppFilter value={search.entity_id} onChange={(entity_id) => narrow({ entity_id })} />
      </div>
      <ActivityTable
        deviceId={search.device_id}
        entityId={search.entity_id}
        query={search.query}
        sort={{
          value: search.sort ?? NEWEST_FIRST,
          onSort: (chosen) => {
            const sort = oneOf(ACTIVITY_SORTS, chosen);
            narrow({ sort: sort === NEWEST_FIRST ? undefined : sort });
          },
        }}
      />
    </Page>
  );
}
