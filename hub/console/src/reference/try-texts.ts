import { said } from '../ui/visible.ts';

export const tryTexts = {
  title: 'Try it',
  lead: 'Asked from here, as you are signed in. Only reading can be tried.',
  leadWithKey: 'Asked from here, with a key of yours. Only reading can be tried.',
  places: { path: 'in the path', query: 'in the query', header: 'as a header', cookie: '' },
  key: 'Key or token',
  keyInstead: 'Key or token, instead of being signed in',
  keyKept: 'Sent with this call, and kept nowhere.',
  button: 'Ask',
  noAnswer: 'There was no answer: the hub is away, or something between refused the call.',
  elsewhere: 'It leads elsewhere',
  request: (id: string) => said`Request ${id}`,
  answer: 'What was answered',
  cut: 'This is the beginning; there is more.',
  empty: 'Answered without a body.',
} as const;
