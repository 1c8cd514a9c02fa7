// Negotiates the content encoding of a response (RFC 9110 §12.5.3).

/**
 * Returns whether an `Accept-Encoding` accepts gzip, by either of its names. An explicit weight has precedence over that
 * of `*`. A client that prefers identity gets identity.
 */
export function acceptsGzip(header: string | string[] | undefined): boolean {
  const weights = new Map(
    String(header ?? '')
      .toLowerCase()
      .split(',')
      .map((element): [string, number] => {
        const [name = '', ...rest] = element.split(';').map((part) => part.trim());
        const weight = rest.find((part) => part.startsWith('q='));
        return [
          name === 'x-gzip' ? 'gzip' : name,
          weight === undefined ? 1 : Number(weight.slice(2)),
        ];
      }),
  );
  const gzip = weights.get('gzip') ?? weights.get('*') ?? 0;
  return gzip > 0 && gzip >= (weights.get('identity') ?? 0);
}
