// Addresses that a provider's URL may lead to: public ones by https only, and networks that the operator allows.
// Invariant: an address is checked where the socket resolves the name, so that DNS rebinding reaches nothing.
import { lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import {
  type AddressRefusal,
  findAddressRefusal,
  type Network,
  parseAddress,
} from '@gatewarden/shared/address-rules.ts';
import { buildConnector } from 'undici';

type Refusal = 'scheme' | AddressRefusal;

/** A provider's URL leads to an address that may not be called. The message continues "The provider's URL". */
export class AddressRefused extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(MESSAGES[refusal]);
    this.refusal = refusal;
  }
}

const MESSAGES: Readonly<Record<Refusal, string>> = {
  scheme: 'must begin with https://',
  not_public: 'must lead to a public address, or to a network that the operator of the node allows',
  http_not_private:
    'must begin with https:// (http works only in networks that the operator allows)',
};

const CONNECT_TIMEOUT_MS = 10_000;

/** Returns why an address must not be connected to, or null if it is allowed. */
export function findRefusal(
  address: string,
  protocol: string,
  allowed: readonly Network[],
): Refusal | null {
  if (protocol !== 'https:' && protocol !== 'http:') return 'scheme';
  return findAddressRefusal(parseAddress(address), protocol, allowed);
}

/** Returns a DNS lookup that fails unless every address of the name is allowed. */
export function createGuardedLookup(protocol: string, allowed: readonly Network[]): LookupFunction {
  return (host, options, callback) => {
    systemLookup(host, { all: true }, (error, addresses) => {
      const first = addresses?.[0];
      if (error !== null || first === undefined) {
        callback(error ?? new Error('the name has no address'), '', 0);
        return;
      }
      const refusals = addresses.map(({ address }) => findRefusal(address, protocol, allowed));
      const refusal = refusals.find((reason) => reason !== null);
      if (refusal !== undefined) callback(new AddressRefused(refusal), '', 0);
      else if (options.all === true) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

/** Throws AddressRefused for a literal address, which a socket does not look up. */
export function checkLiteralAddress(
  hostname: string,
  protocol: string,
  allowed: readonly Network[],
): void {
  const host = hostname.replace(/^\[|\]$/g, '');
  const refusal = isIP(host) === 0 ? null : findRefusal(host, protocol, allowed);
  if (refusal !== null) throw new AddressRefused(refusal);
}

/** Returns a connector for undici that connects only to allowed addresses. */
export function createGuardedConnector(allowed: readonly Network[]): buildConnector.connector {
  const connect = (protocol: string) =>
    buildConnector({
      lookup: createGuardedLookup(protocol, allowed),
      timeout: CONNECT_TIMEOUT_MS,
      keepAlive: true,
    });
  const connectors = new Map(['https:', 'http:'].map((scheme) => [scheme, connect(scheme)]));
  return (options, done) => {
    const connector = connectors.get(options.protocol);
    try {
      if (connector === undefined) throw new AddressRefused('scheme');
      checkLiteralAddress(options.hostname, options.protocol, allowed);
    } catch (error) {
      done(error as Error, null);
      return;
    }
    connector(options, done);
  };
}
