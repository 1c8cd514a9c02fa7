// Progress of long work: a line on standard error that is replaced, on a terminal only.
import type { WriteStream } from 'node:tty';

export interface Progress {
  /** Replaces the line. */
  report(text: string): void;
  /** Removes the line. */
  end(): void;
}

/** Updates that follow faster than this are skipped. */
const UPDATE_MS = 100;
const CLEAR_LINE = '\r\u001b[K';

export const NO_PROGRESS: Progress = { report: () => undefined, end: () => undefined };

/** Returns a progress line on `stream`; without a terminal, or with `isQuiet`, nothing is written. */
export function openProgress({
  isQuiet,
  stream = process.stderr,
}: {
  isQuiet: boolean;
  stream?: Pick<WriteStream, 'isTTY' | 'write' | 'columns'>;
}): Progress {
  if (isQuiet || !stream.isTTY) return NO_PROGRESS;
  let updatedAt = Number.NEGATIVE_INFINITY;
  return {
    report(text) {
      const now = performance.now();
      if (now - updatedAt < UPDATE_MS) return;
      updatedAt = now;
      stream.write(`${CLEAR_LINE}${text.slice(0, (stream.columns || 80) - 1)}`);
    },
    end: () => void stream.write(CLEAR_LINE),
  };
}

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const;

/** Returns a number of bytes for a person, such as `12.4 MiB`. */
export function bytesText(bytes: number): string {
  const exponent = Math.min(UNITS.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
  const value = bytes / 1024 ** exponent;
  return `${exponent === 0 ? value : value.toFixed(1)} ${UNITS[exponent]}`;
}
