// A bar of shares that add up to a total. The list beside the bar has the numbers.
import type { Tone } from '../ui/Badges.tsx';

export interface Share {
  key: string;
  value: number;
  tone: Tone;
}

export function ShareBar({ label, shares }: { label: string; shares: readonly Share[] }) {
  return (
    <div className="gw-share-bar" role="img" aria-label={label}>
      {shares
        .filter(({ value }) => value > 0)
        .map(({ key, value, tone }) => (
          <span key={key} data-tone={tone} style={{ flexGrow: value }} />
        ))}
    </div>
  );
}
