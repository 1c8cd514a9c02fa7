// The details of a row beside its list: `j` and `k` open the next and the previous row, Escape closes.
import { ActionIcon } from '@mantine/core';
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { areSingleKeysOn, isTyping } from '../app/single-keys.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { shellTexts as t } from './texts.ts';

interface RowDrawerProps {
  title: string;
  /** The keys of the loaded rows, in the order of the list. */
  rows: readonly string[];
  /** The key of the opened row, which the list may not contain. */
  row: string;
  /** Opens a row; undefined: the drawer has closed. */
  onOpen: (row: string | undefined) => void;
  children: ReactNode;
}

export function RowDrawer({ title, rows, row, onOpen, children }: RowDrawerProps) {
  const { next, previous, position } = useNeighbors(rows, row);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (!areSingleKeysOn() || isTyping(event.target)) return;
      // Another dialog is above the drawer.
      if (document.querySelectorAll('[role="dialog"]').length > 1) return;
      const target = { j: next, k: previous }[event.key];
      if (target === undefined) return;
      event.preventDefault();
      onOpen(target);
    };
    document.addEventListener('keydown', onKey);
    return () => {
      document.removeEventListener('keydown', onKey);
    };
  }, [next, previous, onOpen]);
  return (
    <Dialog side title={title} onClosed={() => onOpen(undefined)}>
      {() => (
        <div className="gw-form">
          <div className="gw-row-actions gw-drawer-steps">
            <StepButton label={t.previousRow} row={previous} onOpen={onOpen}>
              <IconChevronUp size={16} aria-hidden />
            </StepButton>
            <StepButton label={t.nextRow} row={next} onOpen={onOpen}>
              <IconChevronDown size={16} aria-hidden />
            </StepButton>
            <span className="gw-dimmed gw-small" role="status">
              {position === null ? null : t.position(position, rows.length)}
            </span>
          </div>
          {children}
        </div>
      )}
    </Dialog>
  );
}

interface StepButtonProps {
  label: string;
  row: string | undefined;
  onOpen: (row: string) => void;
  children: ReactNode;
}

function StepButton({ label, row, onOpen, children }: StepButtonProps) {
  return (
    <ActionIcon
      variant="default"
      size="sm"
      aria-label={label}
      title={label}
      disabled={row === undefined}
      onClick={() => {
        if (row !== undefined) onOpen(row);
      }}
    >
      {children}
    </ActionIcon>
  );
}

/** The rows before and after the opened row. A row that left the list keeps its place: the next row has moved there. */
function useNeighbors(rows: readonly string[], row: string) {
  const index = rows.indexOf(row);
  const lastIndex = useRef(index);
  useEffect(() => {
    if (index !== -1) lastIndex.current = index;
  }, [index]);
  const place = index === -1 ? lastIndex.current : index;
  return {
    next: index === -1 ? (place === -1 ? rows[0] : rows[place]) : rows[index + 1],
    previous: place > 0 ? rows[place - 1] : undefined,
    position: index === -1 ? null : index + 1,
  };
}
