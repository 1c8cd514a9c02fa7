// What something would do before it is stored: asked a moment after the last change of a form.
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { type ReadTopic, topicKey } from './keys.ts';
import { useTenant, useTenantWrite } from './tenant.ts';

const SETTLE_MS = 350;

/**
 * Posts `body` once it has not changed for a moment; nothing while it is null. `data` is only of the body as it is now:
 * an answer that is no longer wanted is dropped. Another `look` asks anew and shows nothing of before.
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
