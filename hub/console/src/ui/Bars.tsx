// Numbers as bars, the longest across: a picture of the table that stands beside it, which is what is read aloud.
interface BarsProps {
  label: string;
  bars: readonly { name: string; value: number; text?: string }[];
}

const ROW = 28;
const NAME_SHARE = 30;
const BAR_SHARE = 56;

export function Bars({ label, bars }: BarsProps) {
  const most = Math.max(1, ...bars.map((bar) => bar.value));
  return (
    <svg className="gw-bars" role="img" aria-label={label} width="100%" height={bars.length * ROW}>
      {bars.map(({ name, value, text }, at) => {
        const middle = at * ROW + ROW / 2;
        const width = (value / most) * BAR_SHARE;
        return (
          <g key={name}>
            <title>{`${name}: ${text ?? value.toLocaleString('en-GB')}`}</title>
            <text x="0" y={middle} dominantBaseline="central">
              {name.length > 28 ? `${name.slice(0, 27)}…` : name}
            </text>
            <rect
              x={`${NAME_SHARE}%`}
              y={at * ROW + 5}
              width={`${width}%`}
              height={ROW - 10}
              rx="3"
            />
            <text x={`${NAME_SHARE + width + 1}%`} y={middle} dominantBaseline="central">
              {text ?? value.toLocaleString('en-GB')}
            </text>
          </g>
        );
      })}
    </svg>
  );
}
