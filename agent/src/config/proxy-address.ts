// Addresses of proxies, in the environment and in agent.toml.
import { PlainError } from '../runtime/errors.ts';

/**
 * Parses a proxy's address; `host:port` alone means http, as elsewhere. Throws a `PlainError` that begins with `name`
 * and does not show the text, which may contain a password.
 */
export function proxyAddress(name: string, value: string): string {
  const address = value.includes('://') ? value : `http://${value}`;
  if (!URL.canParse(address)) throw new PlainError(`${name} is no address of a proxy`);
  if (/^https?:\/\//i.test(address)) return address;
  throw new PlainError(`${name} names a proxy that is neither http nor https`);
}
