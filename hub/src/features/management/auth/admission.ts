// Limits the management requests that this process handles at once. There is no queue: a request above the limit is
// answered 429.
import type { FastifyReply } from 'fastify';
import { HubError } from '../../../platform/http/errors/errors.ts';

export const MAX_ADMITTED = 32;

export interface Admission {
  /** Reserves a slot until the response or its connection ends. Throws 429. */
  admit(reply: FastifyReply): void;
}

export function createAdmission(max = MAX_ADMITTED): Admission {
  let admitted = 0;
  return {
    admit(reply) {
      if (admitted >= max) {
        throw new HubError(
          'too_many_requests',
          'Too many management requests at once. Try again shortly.',
          {
            retryAfterSeconds: 1,
          },
        );
      }
      admitted++;
      // `close` comes once, after a finished response and after a broken connection.
      reply.raw.once('close', () => {
        admitted--;
      });
    },
  };
}
