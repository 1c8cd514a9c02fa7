// A small button with a confirmation.
import { Button } from '@mantine/core';
import { useState } from 'react';
import { ConfirmDialog, type ConfirmDialogProps } from './ConfirmDialog.tsx';

interface ConfirmButtonProps extends Omit<ConfirmDialogProps, 'onClose'> {
  /** The name for screen readers: the action and its subject. */
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
