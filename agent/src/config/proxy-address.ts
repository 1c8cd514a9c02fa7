// What may stand where a proxy is named, in the environment and in agent.toml.
import { PlainError } from '../runtime/errors.ts';

/**
 * The proxy as a URL; `host:port` alone means http, as elsewhere. Throws one line that begins with `name` and does not show
 * what was there: a password may stand in it.
 */
export function proxyAddress(name: string, value: string): string {
  const address = value.includes('://') ? value : `http://${value}`;
  if (!URL.canParse(address)) throw new PlainError(`${name} holds no address of a proxy`);
  if (/^https?:\/\//i.test(address)) return address;
  throw new PlainError(`${name} names a proxy that is not one of http or https`);
}
