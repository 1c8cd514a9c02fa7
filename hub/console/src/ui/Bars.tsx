// Numbers as horizontal bars. Screen readers read the table beside them.
import { Fragment } from 'react';
import { Name } from './Name.tsx';

interface BarsProps {
  label: string;
  bars: readonly { name: string; value: number; text?: string }[];
}

const HEIGHT = 18;

export function Bars({ label, bars }: BarsProps) {
  const most = Math.max(1, ...bars.map((bar) => bar.value));
  return (
    <div className="gw-bars" role="img" aria-label={label}>
      {bars.map(({ name, value, text }) => (
        <Fragment key={name}>
          <Name value={name} clamp />
          <svg width="100%" height={HEIGHT} aria-hidden="true">
            <rect width={`${(value / most) * 100}%`} height={HEIGHT} rx="3" />
          </svg>
          <span className="gw-num">{text ?? value.toLocaleString('en-GB')}</span>
        </Fragment>
      ))}
    </div>
  );
}
