// The lines of events as bytes: what the database gave goes out as it stands, with its cursor put in front.
import { REDACTION_VERSION } from '@gatewarden/shared/redaction/redact.ts';
import { currentEvent } from '../events/index.ts';
import type { CopiedEvent } from './store.ts';

/** Large enough that each write to a socket is worth it. */
const PIECE_BYTES = 256 * 1024;
/** What the largest page of ordinary rows takes. */
const PIECES_KEPT = 64;

/** Memory that lines are written into. */
export interface PieceSource {
  take(bytes: number): Buffer;
}

export interface PiecePool {
  /** Of one response: `giveBack` when all of it has left the process, and only then. */
  open(): PieceSource & { giveBack(): void };
}

/** Kept for the next response: megabytes that come and go make the collector look through the whole heap. */
export function createPiecePool(): PiecePool {
  const free: Buffer[] = [];
  return {
    open() {
      const taken: Buffer[] = [];
      return {
        take(bytes) {
          if (bytes > PIECE_BYTES) return Buffer.allocUnsafeSlow(bytes);
          const piece = free.pop() ?? Buffer.allocUnsafeSlow(PIECE_BYTES);
          taken.push(piece);
          return piece;
        },
        giveBack() {
          free.push(...taken.splice(0, PIECES_KEPT - free.length));
        },
      };
    },
  };
}

/** What stands in a line around cursor and event. */
export interface LineForm {
  /** Up to the text of the cursor. */
  head: string;
  /** Behind the cursor's text, up to what is taken of the event. */
  middle(id: string): string;
  /** With what the stored event begins; `middle` says it instead. */
  instead: string;
}

export interface Lines {
  add(event: CopiedEvent, cursor: string): void;
  pieces(): Buffer[];
}

export function createLines({ head, middle, instead }: LineForm, source: PieceSource): Lines {
  const pieces: Buffer[] = [];
  let piece: Buffer = Buffer.alloc(0);
  let length = 0;
  return {
    add(event, cursor) {
      const front = `${head}${cursor}${middle(event.id)}`;
      const { bytes, start, end } = ofToday(event);
      // The front is ASCII.
      const needed = front.length + end - start + 1;
      if (length + needed > piece.length) {
        pieces.push(piece.subarray(0, length));
        piece = source.take(needed);
        length = 0;
      }
      length += piece.write(front, length, 'latin1');
      length += bytes.copy(piece, length, start + instead.length, end);
      piece[length++] = NEWLINE;
    },
    pieces: () => [...pieces, piece.subarray(0, length)].filter((one) => one.length > 0),
  };
}

const NEWLINE = 0x0a;

/** What older rules redacted is read and written anew. */
function ofToday(event: CopiedEvent): Pick<CopiedEvent, 'bytes' | 'start' | 'end'> {
  const { bytes, start, end, redactionVersion } = event;
  if (redactionVersion >= REDACTION_VERSION) return event;
  const stored = { event: bytes.toString('utf8', start, end), redaction_version: redactionVersion };
  const again = Buffer.from(currentEvent(stored));
  return { bytes: again, start: 0, end: again.length };
}
