// The address of the client behind trusted proxies, and the key under which limits count it.
import type { FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';

export type Network = [ipaddr.IPv4 | ipaddr.IPv6, number];

/** IPv6 networks hand a /64 to each subscriber, so limits count the whole /64 as one source. */
const IPV6_SOURCE_BITS = 64;

/** Returns whether `address` belongs to one of `networks`; IPv4-mapped IPv6 addresses count as IPv4. */
export function isInNetworks(address: string, networks: readonly Network[]): boolean {
  const parsed = parseAddress(address);
  if (parsed === null) return false;
  return networks.some(
    ([network, bits]) => network.kind() === parsed.kind() && parsed.match(network as never, bits),
  );
}

/** Returns whether `address` never leaves this machine. */
export function isLoopbackAddress(address: string): boolean {
  return parseAddress(address)?.range() === 'loopback';
}

/**
 * Returns the client's address in canonical form. Behind the proxies of `HUB_TRUSTED_PROXIES` that is the rightmost
 * address of `X-Forwarded-For` which is not itself a trusted proxy; otherwise the peer of the connection. An entry that
 * is no address counts as the peer.
 */
export function clientAddressOf(request: Pick<FastifyRequest, 'ip' | 'raw'>): string {
  const parsed = parseAddress(request.ip) ?? parseAddress(request.raw.socket.remoteAddress ?? '');
  return parsed?.toString() ?? 'unknown';
}

/** Returns the source that limits count for an address: an IPv4 address, or the /64 of an IPv6 address. */
export function sourceKeyOf(address: string): string {
  const parsed = parseAddress(address);
  if (parsed === null) return 'unknown';
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/${IPV6_SOURCE_BITS}`)}/${IPV6_SOURCE_BITS}`;
}

/** Proxies write a port behind the address, and brackets around an IPv6 address. */
function parseAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  const bare = /^\[([^\]]*)\](?::\d+)?$/.exec(text)?.[1] ?? text.replace(/^([\d.]+):\d+$/, '$1');
  return ipaddr.isValid(bare) ? ipaddr.process(bare) : null;
}
