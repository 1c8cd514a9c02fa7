// A dialog that is there while it is rendered: it opens at once, and says when it has closed, with the focus back.
import { Modal } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { texts } from '../texts.ts';
import { visible } from './visible.ts';

interface DialogProps {
  title: string;
  wide?: boolean;
  onClosed: () => void;
  children: (close: () => void) => ReactNode;
}

export function Dialog({ title, wide = false, onClosed, children }: DialogProps) {
  const [opened, setOpened] = useState(false);
  // Mantine brings the focus back a moment after closing; without motion, the dialog is gone before that.
  useEffect(() => {
    const opener = document.activeElement;
    setOpened(true);
    return () => {
      if (document.activeElement !== document.body) return;
      // What opened the dialog may be gone, as the row of a withdrawn decision is.
      const target = opener?.isConnected === true ? opener : document.querySelector('main h1');
      if (target instanceof HTMLElement) target.focus({ preventScroll: true });
    };
  }, []);
  const close = () => {
    setOpened(false);
  };
  return (
    <Modal
      opened={opened}
      onClose={close}
      onExitTransitionEnd={onClosed}
      size={wide ? 'xl' : 'md'}
      title={<bdi className="gw-name">{visible(title)}</bdi>}
      closeButtonProps={{ 'aria-label': texts.ui.close }}
    >
      {children(close)}
    </Modal>
  );
}
