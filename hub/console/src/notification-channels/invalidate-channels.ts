// Refetches channels and deliveries after a change, without waiting for the hub's event.
import { useQueryClient } from '@tanstack/react-query';
import { topicKey } from '../api/keys.ts';
import { useTenant } from '../api/tenant.ts';

export function useInvalidateChannels() {
  const { tenantId } = useTenant();
  const queries = useQueryClient();
  return (): Promise<void> =>
    queries.invalidateQueries({ queryKey: topicKey(tenantId, 'alert-routes') });
}
