// Asks the hub whom a decision would touch, a moment after the last change; an answer that is no longer wanted is dropped.
import type {
  Override,
  OverrideInput,
  PreviewAnswer,
} from '@gatewarden/shared/wire/console/overrides.ts';
import { useSettledPreview } from '../api/settled-preview.ts';
import { previewOf } from './form-values.ts';

export interface Preview {
  /** waiting: the form is not complete; shown: `answer` is what the form says now. */
  state: 'waiting' | 'loading' | 'failed' | 'shown';
  answer: Omit<PreviewAnswer, 'override_id'> | undefined;
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
  const query = useSettledPreview<PreviewAnswer>(
    'overrides',
    '/overrides/preview',
    input === null ? null : previewOf(input, original),
    look,
  );
  return previewOfQuery(input !== null, query);
}

/** Returns what a preview shows; `isComplete`: the form has all that the preview needs. */
export function previewOfQuery(
  isComplete: boolean,
  query: ReturnType<typeof useSettledPreview<Preview['answer']>>,
): Preview {
  return {
    state: isComplete ? stateOf(query) : 'waiting',
    answer: query.data,
    error: query.error,
    retry: () => void query.refetch(),
  };
}

function stateOf(query: {
  isSettled: boolean;
  isSuccess: boolean;
  isError: boolean;
}): Preview['state'] {
  if (!query.isSettled) return 'loading';
  if (query.isSuccess) return 'shown';
  return query.isError ? 'failed' : 'loading';
}
