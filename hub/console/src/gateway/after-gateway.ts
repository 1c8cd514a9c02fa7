// Reads the gateway's pages again after a change, without waiting for the hub's own word.
import { useQueryClient } from '@tanstack/react-query';
import { topicKey } from '../api/keys.ts';
import { useTenant } from '../api/tenant.ts';

export function useAfterGateway() {
  const { tenantId } = useTenant();
  const queries = useQueryClient();
  return (): Promise<void> =>
    queries.invalidateQueries({ queryKey: topicKey(tenantId, 'gateway') });
}
