// Node's own `http` and `https`, taken as modules of CommonJS: `import 'node:http'` evaluates every export, and with
// `WebSocket` the whole of undici, which costs an idle service 5 MB. `https` (6 MB) comes only where it is needed.
import type Http from 'node:http';
import type Https from 'node:https';

/** Server and client for the local sockets, and for a hub on loopback. */
export const http = process.getBuiltinModule('node:http') as typeof Http;

/** For a hub with TLS. */
export function loadHttps(): typeof Https {
  return process.getBuiltinModule('node:https') as typeof Https;
}
