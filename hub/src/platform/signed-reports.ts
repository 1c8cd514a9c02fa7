// Reports that can be shown later: signed with a key of the installation (Ed25519), which the database holds sealed. Whoever
// has noted the public key checks one without the hub.
import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto';
import type { Sealer } from './crypto/seal.ts';
import type { Db } from './db/database.ts';
import { installationSecret } from './installation.ts';

/** So that nothing else that the key may once sign is taken for a report. */
const PURPOSE = 'gatewarden report 1\n';

export interface ReportSigner {
  /** SPKI, base64. */
  publicKey: string;
  /** The whole file: report, public key, signature. */
  signed(report: object): string;
}

/** Makes the key where there is none yet. */
export async function openReportSigner(db: Db, sealer: Sealer): Promise<ReportSigner> {
  const pem = await installationSecret(db, sealer, 'report-key', () =>
    generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  );
  const key = createPrivateKey(pem);
  const publicKey = createPublicKey(key).export({ type: 'spki', format: 'der' }).toString('base64');
  return {
    publicKey,
    signed(report) {
      const signature = sign(null, signedBytes(report), key).toString('base64');
      return fileText({ report, public_key: publicKey, signature });
    },
  };
}

export type ReportVerdict =
  | { authentic: true; report: Record<string, unknown> }
  | { authentic: false; why: string };

/** Byte for byte: who reads the file reads what was signed, and no second spelling of it. */
export function checkReport(text: string, publicKey: string): ReportVerdict {
  const not = (why: string): ReportVerdict => ({ authentic: false, why });
  const file = parsed(text);
  if (file === null) return not('it is no report of a hub');
  if (fileText(file) !== text) return not('it is not as it was written');
  if (file.public_key !== publicKey) return not('another key has signed it');
  const key = createPublicKey({
    key: Buffer.from(publicKey, 'base64'),
    type: 'spki',
    format: 'der',
  });
  const signature = Buffer.from(file.signature, 'base64');
  return verify(null, signedBytes(file.report), key, signature)
    ? { authentic: true, report: file.report }
    : not('it was changed after it was signed');
}

interface ReportFile {
  report: Record<string, unknown>;
  public_key: string;
  signature: string;
}

function parsed(text: string): ReportFile | null {
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

/** Of the three alone: what stands beside them is signed by nobody. */
const fileText = (file: { report: object; public_key: string; signature: string }) => {
  const { report, public_key, signature } = file;
  return `${JSON.stringify({ report, public_key, signature }, null, 2)}\n`;
};
