// The rings of a rollout, one line per ring.
import { Button, NumberInput } from '@mantine/core';
import { texts } from '../texts.ts';
import type { RingValues } from './rollout-values.ts';

const RINGS_MAX = 10;

interface RingFieldsProps {
  rings: readonly RingValues[];
  onChange: (rings: RingValues[]) => void;
}

export function RingFields({ rings, onChange }: RingFieldsProps) {
  const change = (key: number, part: Partial<RingValues>) => {
    onChange(rings.map((ring) => (ring.key === key ? { ...ring, ...part } : ring)));
  };
  return (
    <div className="gw-form">
      {rings.map((ring, index) => (
        <fieldset key={ring.key} className="gw-ring">
          <legend>{texts.rollout.ring(index + 1)}</legend>
          <NumberInput
            label={texts.rollout.percent}
            aria-label={texts.rollout.percentOf(index + 1)}
            min={1}
            max={100}
            allowDecimal={false}
            value={ring.percent}
            onChange={(percent) => {
              change(ring.key, { percent });
            }}
          />
          <NumberInput
            label={texts.rollout.minutes}
            aria-label={texts.rollout.minutesOf(index + 1)}
            min={1}
            max={43_200}
            allowDecimal={false}
            value={ring.minutes}
            onChange={(minutes) => {
              change(ring.key, { minutes });
            }}
          />
          <Button
            variant="default"
            aria-label={texts.rollout.removeRing(index + 1)}
            disabled={rings.length === 1}
            onClick={() => {
              onChange(rings.filter((item) => item.key !== ring.key));
            }}
          >
            <span aria-hidden="true">×</span>
          </Button>
        </fieldset>
      ))}
      <div>
        <Button
          size="xs"
          variant="default"
          disabled={rings.length >= RINGS_MAX}
          onClick={() => {
            const key = Math.max(0, ...rings.map((item) => item.key)) + 1;
            onChange([...rings, { key, percent: '', minutes: 60 }]);
          }}
        >
          {texts.rollout.addRing}
        </Button>
      </div>
    </div>
  );
}
