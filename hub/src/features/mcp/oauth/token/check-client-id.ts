import { clientIdOf } from '../namespaces.ts';
import { type CodeExchange, invalidGrant } from './request.ts';

/** Requires the client of the code, if the request names a client (RFC 6749 §4.1.3). */
export function checkClientId({ form, namespace }: CodeExchange): void {
  const { client_id: clientId } = form.fields;
  if (clientId !== undefined && clientId !== clientIdOf(namespace)) {
    throw invalidGrant("client_id doesn't belong to this endpoint.");
  }
}
