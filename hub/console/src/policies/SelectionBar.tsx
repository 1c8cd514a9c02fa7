// The bar of a selection in a list: its size and reach, the ways into the policy control, and the way out. It stays in view while
// the list scrolls.
import type { ApprovalStatus } from '@gatewarden/shared/wire/vocabulary.ts';
import { Button } from '@mantine/core';
import { PolicyButtons } from './PolicyActions.tsx';
import { policyTexts } from './policy-texts.ts';
import './policies.css';

interface SelectionBarProps {
  /** The size of the selection, in words. */
  selected: string;
  /** The devices and users that have a selected row; undefined while they are counted. */
  reach: { devices: number; users: number } | undefined;
  onOpen: (approval?: ApprovalStatus) => void;
  onClear: () => void;
}

export function SelectionBar({ selected, reach, onOpen, onClear }: SelectionBarProps) {
  return (
    <div className="gw-notice gw-selection" role="status" data-testid="selection-bar">
      <span>{selected}</span>
      <span className="gw-dimmed" data-testid="selection-reach">
        {reach === undefined ? policyTexts.counting : policyTexts.reach(reach.devices, reach.users)}
      </span>
      <span className="gw-row-actions">
        <PolicyButtons onOpen={onOpen} />
        <Button size="xs" variant="default" onClick={onClear}>
          {policyTexts.clearSelection}
        </Button>
      </span>
    </div>
  );
}
