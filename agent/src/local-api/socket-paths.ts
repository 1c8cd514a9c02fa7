// Paths of the two local sockets: `status` is open to every user, `control` to the service's own account.
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sha256Hex } from '@gatewarden/shared/identity.ts';

export type SocketKind = 'status' | 'control';

/** A Unix socket's path must fit into 108 bytes, on some systems into 104. */
const MAX_SOCKET_PATH = 100;

/** The same answer in the service and in the command line. */
export function socketPath(
  dataDir: string,
  kind: SocketKind,
  env: NodeJS.ProcessEnv,
  platform: NodeJS.Platform = process.platform,
): string {
  const name = `gatewarden-${sha256Hex(dataDir).slice(0, 16)}-${kind}`;
  if (platform === 'win32') return `\\\\.\\pipe\\${name}`;
  const inside = join(dataDir, `${kind}.sock`);
  if (Buffer.byteLength(inside) <= MAX_SOCKET_PATH) return inside;
  const runtime = env.XDG_RUNTIME_DIR;
  if (runtime && existsSync(runtime)) return join(runtime, `${name}.sock`);
  return join(process.getuid?.() === 0 && existsSync('/run') ? '/run' : tmpdir(), `${name}.sock`);
}
