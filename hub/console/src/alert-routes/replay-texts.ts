import { counted } from '../ui/counted.ts';

export const replayTexts = {
  open: 'Send again…',
  title: 'Send again?',
  text: 'What this route gave up in the time between is sent once more, oldest first, with the ids that it had.',
  from: 'From',
  to: 'Until',
  notARange: 'The end must come after the beginning',
  delivered: 'Also what arrived',
  deliveredHint: 'A receiver that remembers webhook-id takes nothing twice; people get it again.',
  waits: 'The route is disabled: it is sent when the route is enabled.',
  button: 'Send again',
  done: (count: number) =>
    count === 0
      ? 'There was nothing to send.'
      : `${counted(count, 'message', 'messages')} on the way.`,
} as const;
