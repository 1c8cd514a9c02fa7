// A dialog that is open while it is rendered: it opens at once, and calls back when it has closed and the focus is restored.
// Escape closes the topmost dialog alone. Content that is shown only once keeps it open until the user confirms.
import { Modal } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from 'react';
import { texts } from '../texts.ts';
import { visible } from './visible.ts';

interface DialogProps {
  title: string;
  wide?: boolean;
  /** Shows the dialog above others in any order of opening, because an address can open both. */
  onTop?: boolean;
  onClosed: () => void;
  children: (close: () => void) => ReactNode;
}

/** Above Mantine's own 200. */
const ON_TOP = 210;

/** The open dialogs in the order of opening. */
const dialogs: { onTop: boolean }[] = [];
const isTop = (item: object) =>
  (dialogs.findLast((other) => other.onTop) ?? dialogs.at(-1)) === item;

const Hold = createContext<(isHeld: boolean) => void>(() => undefined);

/** While mounted, the surrounding dialog closes only by its buttons, and navigation is blocked. */
export function useHeldOpen(): void {
  const hold = useContext(Hold);
  useEffect(() => {
    hold(true);
    return () => {
      hold(false);
    };
  }, [hold]);
  useBlocker({ shouldBlockFn: () => true, enableBeforeUnload: true });
}

export function Dialog({ title, wide = false, onTop = false, onClosed, children }: DialogProps) {
  const [opened, setOpened] = useState(false);
  const [isHeld, setHeld] = useState(false);
  const self = useRef({ onTop });
  useEffect(() => {
    const { current: me } = self;
    dialogs.push(me);
    return () => {
      dialogs.splice(dialogs.indexOf(me), 1);
    };
  }, []);
  // Mantine restores the focus after a delay; without animation, the dialog is removed earlier.
  useEffect(() => {
    const opener = document.activeElement;
    setOpened(true);
    return () => {
      if (document.activeElement !== document.body) return;
      // The element that opened the dialog may be removed, such as the row of a removed policy.
      const target = opener?.isConnected === true ? opener : document.querySelector('main h1');
      if (target instanceof HTMLElement) target.focus({ preventScroll: true });
    };
  }, []);
  const close = () => {
    setOpened(false);
  };
  // Every open dialog receives the key.
  const closeTop = () => {
    if (isTop(self.current)) close();
  };
  return (
    <Modal
      opened={opened}
      onClose={closeTop}
      closeOnEscape={!isHeld}
      closeOnClickOutside={!isHeld}
      withCloseButton={!isHeld}
      {...(onTop ? { zIndex: ON_TOP } : {})}
      onExitTransitionEnd={onClosed}
      size={wide ? 'xl' : 'md'}
      title={<bdi className="gw-name">{visible(title)}</bdi>}
      closeButtonProps={{ 'aria-label': texts.ui.close }}
    >
      <Hold value={setHeld}>{children(close)}</Hold>
    </Modal>
  );
}
