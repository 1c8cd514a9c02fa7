// The counts of a list by time and facet, read again whenever the list is read: both show the same rows.
import type { HistogramAnswer } from '@gatewarden/shared/wire/console/histogram.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { readJson, tenantPath } from '../api/client.ts';
import { topicKey } from '../api/keys.ts';
import type { QueryParams } from '../api/query-string.ts';
import { type List, useTenant } from '../api/tenant.ts';

/** Reads the histogram of the list at `path`; `filter` is the list's without its order. */
export function useHistogram(path: string, filter: QueryParams, list: List<unknown>) {
  const { tenantId } = useTenant();
  const { sort: _sort, ...params } = filter;
  return useQuery({
    queryKey: topicKey(tenantId, 'histogram', `${path}/histogram`, params, list.dataUpdatedAt),
    queryFn: ({ signal }) =>
      readJson<HistogramAnswer>(`${tenantPath(tenantId)}${path}/histogram`, params, signal),
    placeholderData: keepPreviousData,
    enabled: list.dataUpdatedAt > 0 && !list.isPlaceholderData,
    meta: { place: 'aside' },
  });
}
