// Certificates of the test's own, and a server that uses them.
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash, createPublicKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { makeFolder } from './agent-process.ts';

export interface TlsHub {
  url: string;
  /** The certificate, which vouches for itself. */
  caFile: string;
  /** SHA-256 of its public key. */
  pin: string;
}

/** Certificates are made with it; where it is not, there is nothing to try. */
export const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

/** Answers every request with the same document. */
export async function startTlsHub(answer: object, host = 'localhost'): Promise<TlsHub> {
  const folder = makeFolder();
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  execFileSync('openssl', [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'],
    ...['-keyout', key, '-out', cert, '-days', '2', '-subj', `/CN=${host}`],
    ...['-addext', `subjectAltName=DNS:${host}`],
  ]);
  const server = https.createServer(
    { key: readFileSync(key), cert: readFileSync(cert) },
    (request, response) => {
      request.resume();
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(answer));
    },
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const spki = createPublicKey(readFileSync(cert)).export({ type: 'spki', format: 'der' });
  return {
    url: `https://localhost:${(server.address() as AddressInfo).port}`,
    caFile: cert,
    pin: createHash('sha256').update(spki).digest('hex'),
  };
}
