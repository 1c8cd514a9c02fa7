import { namespaceId } from '../namespaces.ts';
import { type CodeExchange, invalidGrant } from './request.ts';

/** Requires the endpoint that issued the code. All namespaces have public clients, so the client does not prove it. */
export function checkNamespace({ used, namespace }: CodeExchange): void {
  if (used.namespace !== namespaceId(namespace)) {
    throw invalidGrant('The code is for another endpoint.');
  }
}
