import { counted } from '../ui/counted.ts';

export const replayTexts = {
  open: 'Send again…',
  title: 'Send again?',
  text: 'Sends failed messages of this time range again, oldest first, with their original IDs.',
  from: 'From',
  to: 'To',
  notARange: 'The end must be after the start',
  delivered: 'Include delivered messages',
  deliveredHint:
    'Receivers that check webhook-id ignore duplicates; chat and e-mail recipients get them again.',
  waits: 'This channel is disabled. Messages are sent when you enable it.',
  button: 'Send again',
  done: (count: number) =>
    count === 0 ? 'No messages to send.' : `Sending ${counted(count, 'message', 'messages')}.`,
} as const;
