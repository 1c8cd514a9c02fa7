// Requests the impact of a policy, debounced after the last change. Obsolete responses are ignored.
import type {
  Override,
  OverrideInput,
  PreviewAnswer,
} from '@gatewarden/shared/wire/console/overrides.ts';
import { useSettledPreview } from '../api/settled-preview.ts';
import { previewOf } from './form-values.ts';

export interface Preview {
  /** `waiting`: the form is incomplete. `shown`: `answer` belongs to the current form. */
  state: 'waiting' | 'loading' | 'failed' | 'shown';
  answer: Omit<PreviewAnswer, 'override_id'> | undefined;
  error: unknown;
  retry: () => void;
}

/**
 * Returns the preview of the form's policy; `original` is the policy that it would change, if any. A new value of `look`
 * requests the preview again and discards the previous one.
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
