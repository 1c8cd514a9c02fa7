// NO_PROXY as other programs of a machine read it (curl, Go, Python): Node alone matches `corp.example` for that host
// only, and supports no networks.
import { BlockList, isIP } from 'node:net';

/**
 * Returns whether the list exempts the hub from the proxy. Entries are separated by commas or blanks: `*`, a host or
 * domain with its subdomains (a leading `.` or `*.` means the same), an address, a network (`10.0.0.0/8`,
 * `fd00::/8`); hosts and addresses may have a port. Invalid entries exempt nothing.
 */
export function isExempt(base: URL, list: string): boolean {
  const host = bare(base.hostname);
  const port = base.port || (base.protocol === 'https:' ? '443' : '80');
  return list.split(/[\s,]+/).some((entry) => {
    if (entry === '') return false;
    if (entry === '*') return true;
    if (entry.includes('/')) return isWithin(host, entry);
    const { name, only } = partsOf(entry);
    if (only !== null && only !== port) return false;
    if (isIP(host) !== 0) return sameAddress(host, bare(name));
    const domain = name
      .toLowerCase()
      .replace(/^\*?\./, '')
      .replace(/\.$/, '');
    return domain !== '' && (host === domain || host.endsWith(`.${domain}`));
  });
}

const bare = (host: string): string =>
  host
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '');

/** Brackets or several colons distinguish an IPv6 address from a name with a port. */
function partsOf(entry: string): { name: string; only: string | null } {
  const found = /^(\[[^\]]*\]|[^:]*):(\d+)$/.exec(entry);
  return found === null
    ? { name: entry, only: null }
    : { name: found[1] ?? '', only: found[2] ?? '' };
}

/** The same address in other words, too: `fd00:0:0::1`. */
function sameAddress(host: string, entry: string): boolean {
  const family = isIP(entry);
  if (family === 0) return false;
  const networks = new BlockList();
  networks.addAddress(entry, family === 6 ? 'ipv6' : 'ipv4');
  return networks.check(host, isIP(host) === 6 ? 'ipv6' : 'ipv4');
}

function isWithin(host: string, network: string): boolean {
  const [address = '', bits = ''] = network.split('/');
  const family = isIP(bare(address));
  const most = family === 6 ? 128 : 32;
  if (isIP(host) === 0 || family === 0 || !/^\d{1,3}$/.test(bits) || Number(bits) > most)
    return false;
  const networks = new BlockList();
  networks.addSubnet(bare(address), Number(bits), family === 6 ? 'ipv6' : 'ipv4');
  return networks.check(host, isIP(host) === 6 ? 'ipv6' : 'ipv4');
}
