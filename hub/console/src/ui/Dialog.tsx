// A dialog that is there while it is rendered: it opens at once, and says when it has closed, with the focus back.
import { Modal } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { texts } from '../texts.ts';

interface DialogProps {
  title: string;
  wide?: boolean;
  onClosed: () => void;
  children: (close: () => void) => ReactNode;
}

export function Dialog({ title, wide = false, onClosed, children }: DialogProps) {
  // Opened after the first paint, so that Mantine remembers where the focus was and brings it back.
  const [opened, setOpened] = useState(false);
  useEffect(() => {
    setOpened(true);
  }, []);
  const close = () => {
    setOpened(false);
  };
  const closed = () => {
    // What opened the dialog may be gone, as the row of a withdrawn decision is.
    if (document.activeElement === document.body) {
      document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
    }
    onClosed();
  };
  return (
    <Modal
      opened={opened}
      onClose={close}
      onExitTransitionEnd={closed}
      size={wide ? 'xl' : 'md'}
      title={title}
      closeButtonProps={{ 'aria-label': texts.ui.close }}
    >
      {children(close)}
    </Modal>
  );
}
