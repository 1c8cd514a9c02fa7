// The activity of the tenant, or, through the URL, of one device or application.
import { getRouteApi } from '@tanstack/react-router';
import { texts } from '../texts.ts';
import { Downloads } from '../ui/Downloads.tsx';
import { Page } from '../ui/Page.tsx';
import { AppFilter, DeviceFilter } from './ActivityFilters.tsx';
import { ActivityTable } from './ActivityTable.tsx';

const route = getRouteApi('/t/$tenantId/activity/enforcement');

export function ActivityPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const filter = { device_id: search.device_id, entity_id: search.entity_id };
  const narrow = (change: Partial<typeof filter>) =>
    void navigate({ search: (former) => ({ ...former, ...change }), replace: true });
  return (
    <Page
      title={texts.activity.title}
      lead={texts.activity.lead}
      actions={<Downloads path="/activity/download" filter={filter} />}
    >
      <div className="gw-filters">
        <DeviceFilter value={search.device_id} onChange={(device_id) => narrow({ device_id })} />
        <AppFilter value={search.entity_id} onChange={(entity_id) => narrow({ entity_id })} />
      </div>
      <ActivityTable deviceId={search.device_id} entityId={search.entity_id} />
    </Page>
  );
}
