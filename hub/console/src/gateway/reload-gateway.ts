// Reloads the gateway's queries after a change, without waiting for the event of the hub.
import { useQueryClient } from '@tanstack/react-query';
import { topicKey } from '../api/keys.ts';
import { useTenant } from '../api/tenant.ts';

export function useReloadGateway() {
  const { tenantId } = useTenant();
  const queries = useQueryClient();
  return (): Promise<void> =>
    queries.invalidateQueries({ queryKey: topicKey(tenantId, 'gateway') });
}
