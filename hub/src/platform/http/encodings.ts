// How an answer may be packed.

/**
 * Whether an `Accept-Encoding` takes gzip, by either of its names: what names it weighs more than what names everything. Who
 * would rather have it plain, and says so, gets it plain.
 */
export function takesGzip(header: string | string[] | undefined): boolean {
  const weights = new Map(
    String(header ?? '')
      .toLowerCase()
      .split(',')
      .map((one): [string, number] => {
        const [name = '', ...rest] = one.split(';').map((part) => part.trim());
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
