// Logger of a request, created at its first line: most requests are answered without a line.
import type { FastifyBaseLogger } from 'fastify';

type Child = Parameters<FastifyBaseLogger['child']>;

/** Adds the request's id to every line like `logger.child`, without the cost of an unused child. */
export class RequestLog {
  readonly #parent: FastifyBaseLogger;
  readonly #bindings: Child[0];
  readonly #options: Child[1];
  #child: FastifyBaseLogger | null = null;

  constructor(parent: FastifyBaseLogger, bindings: Child[0], options: Child[1]) {
    this.#parent = parent;
    this.#bindings = bindings;
    this.#options = options;
  }

  get #logger(): FastifyBaseLogger {
    this.#child ??= this.#parent.child(this.#bindings, this.#options);
    return this.#child;
  }

  get level(): string {
    return this.#parent.level;
  }

  child(...args: Child): FastifyBaseLogger {
    return this.#logger.child(...args);
  }

  fatal(...line: Parameters<FastifyBaseLogger['fatal']>): void {
    this.#logger.fatal(...line);
  }

  error(...line: Parameters<FastifyBaseLogger['error']>): void {
    this.#logger.error(...line);
  }

  warn(...line: Parameters<FastifyBaseLogger['warn']>): void {
    this.#logger.warn(...line);
  }

  info(...line: Parameters<FastifyBaseLogger['info']>): void {
    this.#logger.info(...line);
  }

  debug(...line: Parameters<FastifyBaseLogger['debug']>): void {
    this.#logger.debug(...line);
  }

  trace(...line: Parameters<FastifyBaseLogger['trace']>): void {
    this.#logger.trace(...line);
  }

  silent(): void {
    // The method discards every line by definition.
  }
}
