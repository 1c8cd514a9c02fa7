// Signed programs for the Windows lane: a certification authority, and programs signed in any name.
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash, X509Certificate } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Returns the reason why programs cannot be signed here; null where they can. */
export function whyNoSigning(): string | null {
  const missing = ['openssl', 'osslsigncode'].filter(
    (name) => spawnSync(name, ['--version']).error !== undefined,
  );
  return missing.length === 0 ? null : `install ${missing.join(' and ')}`;
}

export interface Signer {
  /** Signs a program in place. */
  sign(file: string): void;
  /** A file of the registry editor that makes Windows trust the signer's authority. */
  trustFile: string;
}

/** Creates an authority in the folder, and a certificate of it for signing code in this name. */
export function makeSigner(folder: string, name: string): Signer {
  const at = (file: string) => join(folder, file);
  const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: 'ignore' });
  const key = (file: string) => ['-newkey', 'rsa:2048', '-nodes', '-keyout', at(`${file}.key`)];
  openssl(
    'req',
    '-x509',
    ...key('root'),
    '-utf8',
    '-subj',
    `/CN=Root of ${name}`,
    '-out',
    at('root.pem'),
  );
  openssl('req', '-utf8', ...key('leaf'), '-subj', `/O=${name}/CN=${name}`, '-out', at('leaf.csr'));
  writeFileSync(at('leaf.ext'), 'extendedKeyUsage=codeSigning\n');
  openssl(
    ...['x509', '-req', '-in', at('leaf.csr'), '-CA', at('root.pem'), '-CAkey', at('root.key')],
    ...['-CAcreateserial', '-extfile', at('leaf.ext'), '-out', at('leaf.pem')],
  );
  const root = new X509Certificate(readFileSync(at('root.pem'))).raw;
  const chain = ['leaf.pem', 'root.pem'].map((file) => readFileSync(at(file), 'utf8'));
  writeFileSync(at('chain.pem'), chain.join(''));
  writeFileSync(at('trust.reg'), describeTrust(root));
  return {
    sign(file) {
      const signed = `${file}.signed`;
      const certificate = ['-certs', at('chain.pem'), '-key', at('leaf.key')];
      execFileSync('osslsigncode', ['sign', ...certificate, '-in', file, '-out', signed]);
      renameSync(signed, file);
    },
    trustFile: at('trust.reg'),
  };
}

/** A certificate in the registry is a list of properties: number, 1, length, value. Property 32 is the certificate. */
function describeTrust(root: Buffer): string {
  const head = Buffer.alloc(12);
  for (const [i, value] of [32, 1, root.length].entries()) head.writeUInt32LE(value, 4 * i);
  const bytes = [...Buffer.concat([head, root])].map((byte) => byte.toString(16).padStart(2, '0'));
  const thumbprint = createHash('sha1').update(root).digest('hex').toUpperCase();
  const path = 'HKEY_LOCAL_MACHINE\\Software\\Microsoft\\SystemCertificates\\Root\\Certificates';
  return `REGEDIT4\r\n\r\n[${path}\\${thumbprint}]\r\n"Blob"=hex:${bytes.join(',')}\r\n`;
}
