// Asks the running service over its local socket.
import { accessSync, constants } from 'node:fs';
import { isTrustedPipe } from '../native/windows/access-control.ts';
import { codeOf, messageOf, PlainError, Refused, Unreachable } from '../runtime/errors.ts';
import { http } from '../runtime/http-modules.ts';
import { type SocketKind, socketPath } from './socket-paths.ts';

const PATIENCE_MS = 10_000;

/** The socket is for others. */
export class NotAllowed extends Refused {
  override name = 'NotAllowed';
}

const NOT_ALLOWED = 'this needs root, or the account that the agent runs under';

/** Requires access to the folder where no service is asked: its content belongs to its owner. */
export function requireOwnFolder(dataDir: string): void {
  try {
    accessSync(dataDir, constants.R_OK | constants.W_OK);
  } catch (error) {
    const code = codeOf(error);
    if (code === 'EACCES' || code === 'EPERM') throw new NotAllowed(NOT_ALLOWED);
  }
}

/** Returns the answer's JSON; null where no service listens. Throws a `PlainError` on anything else. */
export async function askService<T>(
  dataDir: string,
  kind: SocketKind,
  method: 'GET' | 'POST',
  path: string,
  key: string | null = null,
  body = '',
): Promise<T | null> {
  const socket = socketPath(dataDir, kind, process.env);
  if (process.platform === 'win32' && isTrustedPipe(socket) === false) {
    throw new NotAllowed('another account answers in place of the agent');
  }
  try {
    return JSON.parse(await exchange({ socketPath: socket, method, path }, key, body)) as T;
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT' || code === 'ECONNREFUSED' || code === 'ENOTDIR') return null;
    if (code === 'EACCES' || code === 'EPERM') {
      throw new NotAllowed(NOT_ALLOWED);
    }
    if (error instanceof PlainError) throw error;
    throw new Unreachable(`the running agent does not answer: ${messageOf(error)}`);
  }
}

function reasonIn(answer: string): string {
  try {
    return String((JSON.parse(answer) as { error?: unknown }).error ?? answer);
  } catch {
    // The answer does not come from the agent's service.
    return answer.slice(0, 200);
  }
}

function exchange(
  to: { socketPath: string; method: string; path: string },
  key: string | null,
  body: string,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = key === null ? {} : { authorization: `Bearer ${key}` };
    const asked = { ...to, headers, timeout: PATIENCE_MS };
    const request = http.request(asked, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        if (response.statusCode === 200) resolve(text);
        else reject(new Refused(`the running agent refused: ${reasonIn(text)}`));
      });
    });
    request.on('timeout', () => request.destroy(new Error('no answer in time')));
    request.on('error', reject);
    request.end(body);
  });
}
