// Chooses the time range: a preset by a click, or two times.
import { Button, Popover, SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { TimeFilter } from '../ui/TimeFilter.tsx';
import { shellTexts as t } from './texts.ts';
import { RANGE_PRESETS, type RangeSearch } from './time-range.ts';

interface RangeControlProps {
  range: RangeSearch;
  onRange: (range: RangeSearch) => void;
}

const ALL = 'all';
/** No segment is active while two times are chosen. */
const NO_SEGMENT = '';

export function RangeControl({ range, onRange }: RangeControlProps) {
  const isCustom = range.range === undefined && (range.from ?? range.to) !== undefined;
  return (
    <>
      <SegmentedControl
        size="xs"
        aria-label={t.range}
        value={isCustom ? NO_SEGMENT : (range.range ?? ALL)}
        data={[
          ...RANGE_PRESETS.map((preset) => ({ value: preset, label: t.presets[preset] })),
          { value: ALL, label: t.allTimes },
        ]}
        onChange={(chosen) => {
          const preset = RANGE_PRESETS.find((known) => known === chosen);
          onRange({ range: preset, from: undefined, to: undefined });
        }}
      />
      <CustomRange range={range} isCustom={isCustom} onRange={onRange} />
    </>
  );
}

function CustomRange({ range, isCustom, onRange }: RangeControlProps & { isCustom: boolean }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-end" shadow="md" trapFocus>
      <Popover.Target>
        <Button size="xs" variant={isCustom ? 'light' : 'default'} onClick={() => setOpen(!isOpen)}>
          {t.custom}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <div className="gw-filters gw-range-times">
          <TimeFilter
            label={t.from}
            value={range.from}
            onChange={(from) => onRange({ ...range, range: undefined, from })}
          />
          <TimeFilter
            label={t.to}
            value={range.to}
            onChange={(to) => onRange({ ...range, range: undefined, to })}
          />
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}
