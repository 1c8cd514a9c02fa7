import { clientIdOf } from '../namespaces.ts';
import { type AuthorizationRequest, rejectRepeated, UntrustedRequest } from './request.ts';

/** Requires the public client of the namespace (RFC 6749 §2.2, §4.1.1). */
export function checkClientId(request: AuthorizationRequest): void {
  const { query, namespace } = request;
  rejectRepeated(request, 'client_id');
  if (query.client_id === undefined) throw new UntrustedRequest('client_id is missing');
  if (query.client_id !== clientIdOf(namespace)) {
    throw new UntrustedRequest("client_id doesn't belong to this endpoint");
  }
}
