// The counts of a list by time and facet, read again after the list is read, so that both show the same rows. A list into
// which rows come all the time is read each second: counting is expensive, and done less often.
import type { HistogramAnswer } from '@gatewarden/shared/wire/console/histogram.ts';
import { useThrottledValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { readJson, tenantPath } from '../api/client.ts';
import { topicKey } from '../api/keys.ts';
import type { QueryParams } from '../api/query-string.ts';
import { type List, useTenant } from '../api/tenant.ts';

const COUNT_EVERY_MS = 5_000;

/** Reads the histogram of the list at `path`; `filter` is the list's without its order. */
export function useHistogram(path: string, filter: QueryParams, list: List<unknown>) {
  const { tenantId } = useTenant();
  const { sort: _sort, ...params } = filter;
  const readAt = useThrottledValue(list.dataUpdatedAt, COUNT_EVERY_MS);
  return useQuery({
    queryKey: topicKey(tenantId, 'histogram', `${path}/histogram`, params, readAt),
    queryFn: ({ signal }) =>
      readJson<HistogramAnswer>(`${tenantPath(tenantId)}${path}/histogram`, params, signal),
    placeholderData: keepPreviousData,
    enabled: readAt > 0 && !list.isPlaceholderData,
    meta: { place: 'aside' },
  });
}
