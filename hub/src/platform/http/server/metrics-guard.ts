// Access to /metrics: by token, from allowed networks, and from this machine if neither is configured.
import { hashSecret, isHashOf } from '@gatewarden/shared/secrets.ts';
import type { FastifyRequest } from 'fastify';
import { HubError } from '../errors/errors.ts';
import {
  clientAddressOf,
  isInNetworks,
  isLoopbackAddress,
  type Network,
} from './client-address.ts';

/**
 * Returns a check that throws `unauthenticated` or `forbidden`. With a token, only requests that carry it as a bearer
 * token pass, besides those from the allowed networks. Without token and networks, only loopback passes. A forwarding
 * header from an untrusted peer means that the peer is a proxy, whose client is unknown.
 */
export function createMetricsGuard(config: {
  metricsToken: string | null;
  metricsNetworks: readonly Network[];
}): (request: FastifyRequest) => void {
  const { metricsToken, metricsNetworks } = config;
  const expected = metricsToken === null ? null : hashSecret(`Bearer ${metricsToken}`);
  return (request) => {
    const address = clientAddressOf(request);
    if (isInNetworks(address, metricsNetworks)) return;
    if (expected !== null) {
      if (isHashOf(expected, request.headers.authorization)) return;
      throw new HubError('unauthenticated');
    }
    const isLocal = isLoopbackAddress(address) && isClientKnown(request);
    if (metricsNetworks.length === 0 && isLocal) return;
    throw new HubError(
      'forbidden',
      '/metrics is available on this machine only. Set HUB_METRICS_TOKEN or HUB_METRICS_ALLOWED_NETWORKS.',
    );
  };
}

function isClientKnown({ headers, ips }: FastifyRequest): boolean {
  const isForwarded = headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined;
  return !isForwarded || (ips?.length ?? 0) > 1;
}
