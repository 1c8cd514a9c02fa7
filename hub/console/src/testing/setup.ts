// Setup of every component test file. The process and its document are shared by the files: after each test the document, the
// notifications, the stored settings and the responders are cleared.
import { notifications } from '@mantine/notifications';
import { cleanup, configure } from '@testing-library/react';
import { afterEach, beforeEach, expect } from 'vitest';
import { installResponders, resetResponders } from './responder.ts';

/** A loaded machine may be slow; an idle machine answers at once. */
configure({ asyncUtilTimeout: 5_000 });

interface HappyWindow {
  happyDOM: { settings: { device: { prefersReducedMotion: string } } };
}

// The text area that grows with its text listens to fonts, which happy-dom does not have.
Object.defineProperty(document, 'fonts', { value: new EventTarget(), configurable: true });

beforeEach(() => {
  // Dialogs close at once, as for people who asked their system for less motion.
  (window as unknown as HappyWindow).happyDOM.settings.device.prefersReducedMotion = 'reduce';
  installResponders();
});

afterEach(() => {
  cleanup();
  notifications.clean();
  notifications.cleanQueue();
  localStorage.clear();
  document.body.replaceChildren();
  expect(resetResponders(), 'requests without a responder').toEqual([]);
});
