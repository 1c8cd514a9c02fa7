// Amounts in US dollars; small amounts have more digits.
export function usd(amount: number | null): string {
  if (amount === null) return '–';
  const digits = amount !== 0 && Math.abs(amount) < 0.1 ? 6 : 2;
  return amount.toLocaleString('en-US', {
    style: 'currency',
    currency: 'USD',
    minimumFractionDigits: 2,
    maximumFractionDigits: digits,
  });
}
