// Signed reports: signed with an Ed25519 key of the installation, which is stored sealed. A report can be verified with the
// public key and without the hub.
import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  sign as signBytes,
  verify,
} from 'node:crypto';
import type { Sealer } from './crypto/seal.ts';
import type { Db } from './db/database.ts';
import { installationSecret } from './installation.ts';

/** Domain separation: a signature for another purpose is not a valid report. */
const PURPOSE = 'gatewarden report 1\n';

export interface ReportSigner {
  /** SPKI in base64. */
  publicKey: string;
  /** Returns the file with report, public key and signature. */
  sign(report: object): string;
}

/** Loads the key, or creates it at first use. */
export async function openReportSigner(db: Db, sealer: Sealer): Promise<ReportSigner> {
  const pem = await installationSecret(db, sealer, 'report-key', () =>
    generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  );
  const key = createPrivateKey(pem);
  const publicKey = createPublicKey(key).export({ type: 'spki', format: 'der' }).toString('base64');
  return {
    publicKey,
    sign(report) {
      const signature = signBytes(null, signedBytes(report), key).toString('base64');
      return fileText({ report, public_key: publicKey, signature });
    },
  };
}

export type ReportVerdict =
  | { authentic: true; report: Record<string, unknown> }
  | { authentic: false; reason: string };

/** Verifies a report file. The file must be byte-identical, so that no other spelling of the signed content passes. */
export function checkReport(text: string, publicKey: string): ReportVerdict {
  const reject = (reason: string): ReportVerdict => ({ authentic: false, reason });
  const file = parseFile(text);
  if (file === null) return reject('it is no report of a hub');
  if (fileText(file) !== text) return reject('its format was changed');
  if (file.public_key !== publicKey) return reject('it was signed with another key');
  const key = createPublicKey({
    key: Buffer.from(publicKey, 'base64'),
    type: 'spki',
    format: 'der',
  });
  const signature = Buffer.from(file.signature, 'base64');
  return verify(null, signedBytes(file.report), key, signature)
    ? { authentic: true, report: file.report }
    : reject('it was changed after it was signed');
}

interface ReportFile {
  report: Record<string, unknown>;
  public_key: string;
  signature: string;
}

function parseFile(text: string): ReportFile | null {
  try {
    const file = JSON.parse(text) as Partial<ReportFile> | null;
    const isReport = typeof file?.report === 'object' && file.report !== null;
    if (!isReport || typeof file.signature !== 'string' || typeof file.public_key !== 'string') {
      return null;
    }
    return file as ReportFile;
  } catch {
    return null;
  }
}

const signedBytes = (report: object) => Buffer.from(PURPOSE + JSON.stringify(report));

/** Formats only the three known fields, since further fields are not signed. */
const fileText = (file: { report: object; public_key: string; signature: string }) => {
  const { report, public_key, signature } = file;
  return `${JSON.stringify({ report, public_key, signature }, null, 2)}\n`;
};
