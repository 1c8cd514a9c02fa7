// Logging by pino to standard error in JSON lines, with secrets redacted by name.
import { type DestinationStream, type Logger, pino } from 'pino';
import { currentTraceIds } from './trace-hooks.ts';

const SECRET_PATHS = [
  'req.headers.authorization',
  'req.headers.cookie',
  'authorization',
  'cookie',
  'password',
  'token',
  'secret',
  '*.authorization',
  '*.cookie',
  '*.password',
  '*.token',
  '*.secret',
];

/** Returns a logger to standard error, because standard output is for results of commands. `destination` is for tests. */
export function createLog(level: string, destination?: DestinationStream): Logger {
  return pino(
    {
      level,
      base: { service: 'hub' },
      timestamp: pino.stdTimeFunctions.isoTime,
      mixin: currentTraceIds,
      redact: { paths: SECRET_PATHS, censor: '[redacted]' },
      serializers: {
        // A query may contain a cursor or code, so only the path is logged.
        req: (request: { method: string; url: string; id: string }) => ({
          id: request.id,
          method: request.method,
          path: request.url.split('?')[0],
        }),
        err: errorForLog,
      },
    },
    destination ?? pino.destination({ fd: 2, sync: false }),
  );
}

/** Returns the loggable fields of an error. PostgreSQL's `detail` is omitted, because it contains row values. */
function errorForLog(error: unknown): unknown {
  if (!(error instanceof Error)) return { message: String(error) };
  const { code, table, constraint } = error as {
    code?: string;
    table?: string;
    constraint?: string;
  };
  return { type: error.name, message: error.message, code, table, constraint, stack: error.stack };
}
