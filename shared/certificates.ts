// TLS certificates that Node.js refuses, for messages of programs that connect to a server.

/** Codes of Node.js for a chain that ends at no trusted authority. */
const UNKNOWN_AUTHORITY =
  /^(UNABLE_TO_(GET_ISSUER_CERT|GET_ISSUER_CERT_LOCALLY|VERIFY_LEAF_SIGNATURE)|SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT)$/;

/** Returns whether the code of an error means that no trusted authority issued the certificate. */
export const isUnknownAuthorityCode = (code: string | null | undefined): boolean =>
  UNKNOWN_AUTHORITY.test(code ?? '');

/**
 * Returns why a certificate was refused, with the next step for a private authority, by the error or what caused it.
 * Returns null for any other error.
 */
export function describeCertificateError(error: unknown): string | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (!isUnknownAuthorityCode(code)) continue;
    return `${code}: its certificate is not trusted; for a private CA set NODE_EXTRA_CA_CERTS=FILE`;
  }
  return null;
}
