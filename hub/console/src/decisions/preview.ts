// Asks the hub whom a decision would touch, a moment after the last change; an answer that is no longer wanted is dropped.
import type {
  Override,
  OverrideInput,
  PreviewAnswer,
} from '@gatewarden/shared/wire/console/overrides.ts';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { topicKey } from '../api/keys.ts';
import { useTenant, useTenantWrite } from '../api/tenant.ts';
import { previewOf } from './form-values.ts';

const SETTLE_MS = 350;

export interface Preview {
  /** waiting: the form is not complete; shown: `answer` is what the form says now. */
  state: 'waiting' | 'loading' | 'failed' | 'shown';
  answer: PreviewAnswer | undefined;
  error: unknown;
  retry: () => void;
}

/**
 * Of a decision as the form says it; `original` is the one that it would change, if any. Another `look` asks anew and
 * shows nothing of before.
 */
export function usePreview(
  input: OverrideInput | null,
  original: Override | null,
  look = 0,
): Preview {
  const { tenantId } = useTenant();
  const write = useTenantWrite();
  const wanted = input === null ? null : JSON.stringify(previewOf(input, original));
  const [settled] = useDebouncedValue(wanted, SETTLE_MS);
  const query = useQuery({
    queryKey: topicKey(tenantId, 'overrides', 'preview', settled, look),
    queryFn: ({ signal }) =>
      write<PreviewAnswer>('POST', '/overrides/preview', {
        body: settled === null ? null : JSON.parse(settled),
        signal,
      }),
    enabled: settled !== null && settled === wanted,
    staleTime: 0,
    gcTime: 0,
  });
  return {
    state: stateOf(wanted, settled, query),
    answer: wanted === settled ? query.data : undefined,
    error: query.error,
    retry: () => void query.refetch(),
  };
}

function stateOf(
  wanted: string | null,
  settled: string | null,
  query: { isSuccess: boolean; isError: boolean },
): Preview['state'] {
  if (wanted === null) return 'waiting';
  if (wanted !== settled) return 'loading';
  if (query.isSuccess) return 'shown';
  return query.isError ? 'failed' : 'loading';
}
