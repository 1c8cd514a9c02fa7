// NO_PROXY as other programs of a machine read it (curl, Go, Python): Node alone matches `corp.example` for that host
// only, and supports no networks.
import { BlockList, isIP } from 'node:net';

/**
 * Returns whether the list exempts the hub from the proxy. Entries are separated by commas or blanks: `*`, a host or
 * domain with its subdomains (a leading `.` or `*.` means the same), an address, a network (`10.0.0.0/8`,
 * `fd00::/8`); hosts and addresses may have a port. Invalid entries exempt nothing.
 */
export function isExempt(base: URL, list: string): boolean {
  const host = normalizeHost(base.hostname);
  const port = base.port || (base.protocol === 'https:' ? '443' : '80');
  return list.split(/[\s,]+/).some((entry) => {
    if (entry === '' || entry === '*') return entry === '*';
    // Brackets or several colons distinguish an IPv6 address from a name with a port.
    const [, name = entry, entryPort = port] = /^(\[[^\]]*\]|[^:]*):(\d+)$/.exec(entry) ?? [];
    if (entryPort !== port) return false;
    if (isIP(host) !== 0) return isWithin(host, name);
    const domain = normalizeHost(name.replace(/^\*?\./, ''));
    return domain !== '' && `.${host}`.endsWith(`.${domain}`);
  });
}

const normalizeHost = (host: string): string =>
  host
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '');

/** Returns whether an address equals the entry's in any notation, or is in the entry's network. */
function isWithin(host: string, entry: string): boolean {
  const [address = '', bits] = entry.split('/').map(normalizeHost);
  const family = isIP(address);
  const width = family === 6 ? 128 : 32;
  const prefix = bits ?? String(width);
  if (family === 0 || !/^\d{1,3}$/.test(prefix) || Number(prefix) > width) return false;
  const networks = new BlockList();
  networks.addSubnet(address, Number(prefix), family === 6 ? 'ipv6' : 'ipv4');
  return networks.check(host, isIP(host) === 6 ? 'ipv6' : 'ipv4');
}
