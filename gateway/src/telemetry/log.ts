// The log of a node: JSON lines without process facts.
import { type DestinationStream, type Logger, pino } from 'pino';

/** Returns a log that writes to standard error, or to another destination. */
export function createLog(level: string, destination?: DestinationStream): Logger {
  return pino({ level, base: null }, destination ?? pino.destination(2));
}
