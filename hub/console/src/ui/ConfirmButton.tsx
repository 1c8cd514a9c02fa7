// A small button that asks before it ends something.
import { Button } from '@mantine/core';
import { useState } from 'react';
import { ConfirmDialog, type ConfirmDialogProps } from './ConfirmDialog.tsx';

interface ConfirmButtonProps extends Omit<ConfirmDialogProps, 'onClose'> {
  /** What it is called for people who hear the page: the action with what it is about. */
  label?: string;
}

export function ConfirmButton({ label, ...asked }: ConfirmButtonProps) {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button size="xs" variant="default" aria-label={label} onClick={() => setAsking(true)}>
        {asked.action}
      </Button>
      {isAsking ? <ConfirmDialog {...asked} onClose={() => setAsking(false)} /> : null}
    </>
  );
}
