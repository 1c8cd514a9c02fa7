// The agent's log: JSON lines on standard error, tokens cut out wherever they might slip in.
import { type Logger, pino } from 'pino';

export type Log = Logger;

/** Writes at once, so that the last line before a crash is there. */
export function createLog(level: string): Log {
  return pino(
    {
      level,
      base: { pid: process.pid },
      redact: {
        paths: ['*.token', '*.authorization', 'token', 'authorization', 'auth_token'],
        censor: '[cut]',
      },
      timestamp: pino.stdTimeFunctions.isoTime,
    },
    pino.destination({ dest: 2, sync: true }),
  );
}
