// A number with its noun, in the singular or the plural.
export const counted = (count: number, item: string, many: string) =>
  `${count.toLocaleString('en-GB')} ${count === 1 ? item : many}`;
