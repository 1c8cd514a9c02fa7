// How an answer may be packed.

/** Whether an `Accept-Encoding` takes gzip: what names it weighs more than what names everything. */
export function takesGzip(header: string | string[] | undefined): boolean {
  const weights = new Map(
    String(header ?? '')
      .toLowerCase()
      .split(',')
      .map((one): [string, number] => {
        const [name = '', ...rest] = one.split(';').map((part) => part.trim());
        const weight = rest.find((part) => part.startsWith('q='));
        return [name, weight === undefined ? 1 : Number(weight.slice(2))];
      }),
  );
  return (weights.get('gzip') ?? weights.get('*') ?? 0) > 0;
}
