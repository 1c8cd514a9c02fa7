// Addresses that a program may call for a user: public ones by https only, and networks that its operator allows. The hub
// applies these rules to its outbound calls, a gateway node to providers. Callers check each address that a socket
// resolves, so that DNS rebinding reaches nothing.
import ipaddr from 'ipaddr.js';

export type Address = ipaddr.IPv4 | ipaddr.IPv6;
/** A network as address and length of its prefix. */
export type Network = readonly [Address, number];
export type AddressRefusal = 'not_public' | 'http_not_private';

const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/** Returns the address that a text in any notation denotes; an IPv4 address inside IPv6 becomes IPv4. */
export function parseAddress(address: string): Address {
  return ipaddr.process(address);
}

/** Returns why an address must not be connected to, or null if it is allowed. */
export function findAddressRefusal(
  address: Address,
  protocol: string,
  allowed: readonly Network[],
): AddressRefusal | null {
  const isAllowed = allowed.some(
    ([network, bits]) => network.kind() === address.kind() && address.match(network as never, bits),
  );
  if (isAllowed) return null;
  if (!isPublic(address)) return 'not_public';
  return protocol === 'http:' ? 'http_not_private' : null;
}

/** Returns whether an address belongs to the public internet. */
export function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast') return false;
  // IPv6 is public only inside 2000::/3, which excludes IPv4 in its deprecated compatible form.
  return address.kind() === 'ipv4' || (address as ipaddr.IPv6).match(GLOBAL_UNICAST);
}
