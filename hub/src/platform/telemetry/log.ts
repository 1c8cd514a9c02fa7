// Logs: pino to standard error, one JSON line each, secrets cut out by name.
import { type DestinationStream, type Logger, pino } from 'pino';
import { tracedIds } from './traced.ts';

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

/** `destination` is for tests; left out, lines go to standard error, for standard output belongs to the commands' answers. */
export function createLog(level: string, destination?: DestinationStream): Logger {
  return pino(
    {
      level,
      base: { service: 'hub' },
      timestamp: pino.stdTimeFunctions.isoTime,
      mixin: tracedIds,
      redact: { paths: SECRET_PATHS, censor: '[redacted]' },
      serializers: {
        // A cursor or code may stand in a query, so only the path is logged.
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

/** PostgreSQL puts row values into `detail`; they stay out of the log. */
function errorForLog(error: unknown): unknown {
  if (!(error instanceof Error)) return { message: String(error) };
  const { code, table, constraint } = error as {
    code?: string;
    table?: string;
    constraint?: string;
  };
  return { type: error.name, message: error.message, code, table, constraint, stack: error.stack };
}
