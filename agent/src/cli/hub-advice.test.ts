// A person receives advice for a hub that cannot be reached.
import { expect, test } from 'vitest';
import { HubUnreachable } from '../sync/backoff.ts';
import { adviseOn } from './hub-advice.ts';

test.each([
  ['The operation was aborted', /accepts connections and does not answer/],
  [
    'Failed to establish tunnel to h:443 via http://p: no whole answer within 20 s',
    /accepts connections and does not answer/,
  ],
  [
    'Failed to establish tunnel to h:443 via http://p: HTTP/1.1 407 Who',
    /wants a name and a password/,
  ],
  ['Failed to establish tunnel to h:443 via http://p: HTTP/1.1 403 No', /does not let it through/],
  ['302: the answer is not from a hub', /portal/],
])('advises after: %s', (message, advice) => {
  expect(adviseOn(new HubUnreachable(message, {}))).toMatch(advice);
});
