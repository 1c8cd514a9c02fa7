// The activity of the tenant, or, through the URL, of one device or application.
import { getRouteApi, Link } from '@tanstack/react-router';
import { texts } from '../texts.ts';
import { Downloads } from '../ui/Downloads.tsx';
import { Page } from '../ui/Page.tsx';
import { ActivityTable } from './ActivityTable.tsx';

const route = getRouteApi('/t/$tenantId/activity/enforcement');

export function ActivityPage() {
  const { tenantId } = route.useParams();
  const search = route.useSearch();
  const filtered = search.device_id !== undefined || search.entity_id !== undefined;
  return (
    <Page title={texts.activity.title} lead={texts.activity.lead}>
      {filtered ? (
        <p>
          {texts.activity.filtered}{' '}
          <Link to="/t/$tenantId/activity/enforcement" params={{ tenantId }} className="gw-link">
            {texts.ui.clearFilters}
          </Link>
        </p>
      ) : null}
      <div className="gw-filters">
        <Downloads
          path="/activity/download"
          filter={{ device_id: search.device_id, entity_id: search.entity_id }}
        />
      </div>
      <ActivityTable deviceId={search.device_id} entityId={search.entity_id} />
    </Page>
  );
}
