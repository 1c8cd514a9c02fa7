// Refreshes the queries that a policy changes, without waiting for the hub's event.
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
