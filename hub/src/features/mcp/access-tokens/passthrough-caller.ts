// The caller of a passthrough server, whose tokens only that server can validate.
import { hashSecret } from '@gatewarden/shared/secrets.ts';
import { type Caller, InvalidTokenError } from './caller.ts';

/** A secret with a prefix of the gateway is never sent to a server, also if it is invalid. */
const GATEWAY_SECRET = /^gw[a-z]_/i;

/** Returns an unidentified caller with the client's own token. Throws InvalidTokenError for a secret of the gateway. */
export function passThroughToken(secret: string, tenantId: string, agent: string | null): Caller {
  if (GATEWAY_SECRET.test(secret)) {
    throw new InvalidTokenError('The token is for another endpoint.');
  }
  return {
    via: 'passthrough',
    tokenId: uuidOf(hashSecret(secret)),
    tenantId,
    userId: null,
    email: '',
    agent,
    upstreamToken: secret,
  };
}

/** Returns an id that is equal for equal tokens. */
function uuidOf(hash: Buffer): string {
  const hex = hash.toString('hex');
  return [8, 12, 16, 20, 32].map((end, i) => hex.slice([0, 8, 12, 16, 20][i], end)).join('-');
}
