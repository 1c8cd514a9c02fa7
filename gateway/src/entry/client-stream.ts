// The way back to the client: head, chunks with backpressure, and an end that waits for the log row.
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { RequestRecord } from '../logs/record.ts';

export class ClientStream {
  readonly #response: ServerResponse;
  readonly #record: RequestRecord;
  readonly #closed = new AbortController();
  /** Writes the row; called once, before the last byte. */
  readonly #writeRow: () => void;
  #isRowWritten = false;

  constructor(response: ServerResponse, record: RequestRecord, writeRow: () => void) {
    this.#response = response;
    this.#record = record;
    this.#writeRow = writeRow;
    response.once('close', () => {
      if (!response.writableFinished) this.#closed.abort();
    });
    response.on('error', () => this.#closed.abort());
  }

  /** Aborts when the client leaves before the end of its answer. */
  get disconnected(): AbortSignal {
    return this.#closed.signal;
  }

  get isHeadSent(): boolean {
    return this.#response.headersSent;
  }

  writeHead(status: number, headers: Record<string, string>): void {
    this.#record.status = status;
    this.#response.writeHead(status, headers);
  }

  /** Sends a chunk, and waits while the client reads slowly. Throws when the client left. */
  async write(chunk: Buffer): Promise<void> {
    if (chunk.length === 0) return;
    this.#record.firstResponseMs ??= this.#record.elapsedMs();
    if (this.#response.write(chunk)) return;
    await once(this.#response, 'drain', { signal: this.#closed.signal });
  }

  /** Writes the row before the client can know that its answer is complete. */
  commitRow(): void {
    if (this.#isRowWritten) return;
    this.#isRowWritten = true;
    this.#record.firstResponseMs ??= this.#record.elapsedMs();
    this.#writeRow();
  }

  /** Commits the row, then sends a last chunk and the end. */
  end(chunk?: Buffer): void {
    this.commitRow();
    if (chunk === undefined || chunk.length === 0) this.#response.end();
    else this.#response.end(chunk);
  }

  /** Commits the row and breaks the connection, so that the client cannot take a part for the whole answer. */
  abort(): void {
    this.commitRow();
    this.#response.destroy();
  }
}
