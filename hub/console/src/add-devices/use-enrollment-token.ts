// The enrollment token of the page: created on demand, in no list afterwards.
import type { AgentTokenIssued } from '@gatewarden/shared/wire/console/agent-tokens.ts';
import type { TokenInput } from '@gatewarden/shared/wire/console/issued-tokens.ts';
import { useMutation } from '@tanstack/react-query';
import { useSecretOnce } from '../api/idempotency.ts';
import { useReload, useTenantWrite } from '../api/tenant.ts';

export interface EnrollmentToken {
  secret: string;
  /** Times of the hub, in ISO 8601. */
  createdAt: string;
  expiresAt: string | null;
}

/** Returns the creation of a token that can only enroll devices. A token without a response is revoked before the next attempt. */
export function useEnrollmentToken(onToken: (token: EnrollmentToken) => void) {
  const write = useTenantWrite();
  const once = useSecretOnce();
  const reload = useReload();
  return useMutation({
    mutationFn: (token: Omit<TokenInput, 'token_id'>) =>
      once(
        (id) =>
          write<AgentTokenIssued>('POST', '/agent-tokens', { body: { ...token, token_id: id } }),
        (id) => write('DELETE', `/agent-tokens/${id}`),
      ),
    onSuccess: ({ token, secret }) => {
      onToken({ secret, createdAt: token.created_at, expiresAt: token.expires_at });
    },
    onSettled: () => reload('agent-tokens'),
  });
}
