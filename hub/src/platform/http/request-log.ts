// A request's own log, made when it first says something: most requests are answered without a line.
import type { FastifyBaseLogger } from 'fastify';

type Child = Parameters<FastifyBaseLogger['child']>;

/** Adds the request's id to every line, as `logger.child` does, without the cost of a child nobody uses. */
export class RequestLog {
  readonly #parent: FastifyBaseLogger;
  readonly #bindings: Child[0];
  readonly #options: Child[1];
  #made: FastifyBaseLogger | null = null;

  constructor(parent: FastifyBaseLogger, bindings: Child[0], options: Child[1]) {
    this.#parent = parent;
    this.#bindings = bindings;
    this.#options = options;
  }

  get #own(): FastifyBaseLogger {
    this.#made ??= this.#parent.child(this.#bindings, this.#options);
    return this.#made;
  }

  get level(): string {
    return this.#parent.level;
  }

  child(...of: Child): FastifyBaseLogger {
    return this.#own.child(...of);
  }

  fatal(...line: Parameters<FastifyBaseLogger['fatal']>): void {
    this.#own.fatal(...line);
  }

  error(...line: Parameters<FastifyBaseLogger['error']>): void {
    this.#own.error(...line);
  }

  warn(...line: Parameters<FastifyBaseLogger['warn']>): void {
    this.#own.warn(...line);
  }

  info(...line: Parameters<FastifyBaseLogger['info']>): void {
    this.#own.info(...line);
  }

  debug(...line: Parameters<FastifyBaseLogger['debug']>): void {
    this.#own.debug(...line);
  }

  trace(...line: Parameters<FastifyBaseLogger['trace']>): void {
    this.#own.trace(...line);
  }

  silent(): void {
    // Nothing, by its name.
  }
}
