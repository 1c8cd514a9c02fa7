import { visibleText } from '../ui/visible.ts';

export const tryTexts = {
  title: 'Try it',
  lead: 'Sends the request from this browser with your sign-in. Read-only operations only.',
  leadWithKey: 'Sends the request from this browser with your key. Read-only operations only.',
  places: { path: 'in the path', query: 'in the query', header: 'as a header', cookie: '' },
  key: 'Key or token',
  keyInstead: 'Key or token (instead of your sign-in)',
  keyKept: 'Used for this request only, never stored.',
  button: 'Send request',
  noAnswer: 'No response. The server is unreachable, or a proxy rejected the request.',
  elsewhere: 'Redirect',
  request: (id: string) => visibleText`Request ${id}`,
  answer: 'Response',
  cut: 'The response is truncated.',
  empty: 'Empty response.',
} as const;
