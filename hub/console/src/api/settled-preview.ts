// The preview of a form, debounced after its last change.
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { type ReadTopic, topicKey } from './keys.ts';
import { useTenant, useTenantWrite } from './tenant.ts';

const SETTLE_MS = 350;

/**
 * Posts `body` after it has not changed for a moment; no request while it is null. `data` belongs to the current body:
 * obsolete responses are ignored. A new value of `look` requests the preview again and discards the previous one.
 */
export function useSettledPreview<Answer>(
  topic: ReadTopic,
  path: string,
  body: object | null,
  look = 0,
) {
  const { tenantId } = useTenant();
  const write = useTenantWrite();
  const wanted = body === null ? null : JSON.stringify(body);
  const [settled] = useDebouncedValue(wanted, SETTLE_MS);
  const isSettled = wanted === settled;
  const query = useQuery({
    queryKey: topicKey(tenantId, topic, path, settled, look),
    queryFn: ({ signal }) =>
      write<Answer>('POST', path, {
        body: settled === null ? null : JSON.parse(settled),
        signal,
      }),
    enabled: settled !== null && isSettled,
    staleTime: 0,
    gcTime: 0,
  });
  return { ...query, isSettled, data: wanted !== null && isSettled ? query.data : undefined };
}
