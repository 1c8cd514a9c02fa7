// The fields of a staged rollout: its rings, and the conditions that pause it.
import { NumberInput } from '@mantine/core';
import { texts } from '../texts.ts';
import { RingFields } from './RingFields.tsx';
import { type RolloutValues, rolloutInput } from './rollout-values.ts';

interface RolloutFieldsProps {
  values: RolloutValues;
  onChange: (values: RolloutValues) => void;
}

export function RolloutFields({ values, onChange }: RolloutFieldsProps) {
  return (
    <>
      <RingFields
        rings={values.rings}
        onChange={(rings) => {
          onChange({ ...values, rings });
        }}
      />
      <div className="gw-form-pair">
        <NumberInput
          label={texts.rollout.maxBlocks}
          description={texts.rollout.limitHint}
          min={0}
          allowDecimal={false}
          value={values.maxBlocks}
          onChange={(maxBlocks) => {
            onChange({ ...values, maxBlocks });
          }}
        />
        <NumberInput
          label={texts.rollout.maxLost}
          description={texts.rollout.limitHint}
          min={0}
          max={100}
          allowDecimal={false}
          value={values.maxLost}
          onChange={(maxLost) => {
            onChange({ ...values, maxLost });
          }}
        />
      </div>
      {rolloutInput(values) === null ? <p role="alert">{texts.rollout.growing}</p> : null}
    </>
  );
}
