// Downloads of the filtered list as CSV or JSON.
import { Button } from '@mantine/core';
import { tenantPath } from '../api/client.ts';
import { type QueryParams, withQuery } from '../api/query-string.ts';
import { useTenant } from '../api/tenant.ts';
import { texts } from '../texts.ts';

/** `path` below the tenant answers with `?format=csv` and `?format=json`. */
export function Downloads({ path, filter }: { path: string; filter: QueryParams }) {
  const { tenantId } = useTenant();
  const file = (format: string) =>
    withQuery(`${tenantPath(tenantId)}${path}`, { ...filter, format });
  return (
    <div className="gw-row-actions">
      <Button component="a" size="xs" variant="default" href={file('csv')} download>
        {texts.ui.downloadCsv}
      </Button>
      <Button component="a" size="xs" variant="default" href={file('json')} download>
        {texts.ui.downloadJson}
      </Button>
    </div>
  );
}
