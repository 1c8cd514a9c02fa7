// Reads again what a decision changes, without waiting for the hub's own word.
import { useQueryClient } from '@tanstack/react-query';
import { staleAfter, topicKey } from '../api/keys.ts';
import { useTenant } from '../api/tenant.ts';

export function useAfterDecision() {
  const { tenantId } = useTenant();
  const queries = useQueryClient();
  return async (): Promise<void> => {
    await Promise.all(
      staleAfter('overrides').map((topic) =>
        queries.invalidateQueries({ queryKey: topicKey(tenantId, topic) }),
      ),
    );
  };
}
