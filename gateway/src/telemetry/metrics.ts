// Metrics of a node for Prometheus. Labels have few values: operations, statuses and reasons, never apps, models or people.
import { Counter, Gauge, Histogram, Registry } from '@prometheus-io/client';

/** Upper bounds of the histogram of durations, in seconds. */
const BUCKETS = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];

interface ReadMetric {
  name: string;
  help: string;
  type: 'gauge' | 'counter';
  read: () => number;
}

export class Metrics {
  readonly #registry = new Registry();
  readonly #registers = [this.#registry];
  readonly #requests = new Counter({
    name: 'gateway_requests_total',
    help: 'Requests by operation and status.',
    labelNames: ['operation', 'status'] as const,
    registers: this.#registers,
  });
  readonly #refusals = new Counter({
    name: 'gateway_refusals_total',
    help: 'Refused requests by reason.',
    labelNames: ['code'] as const,
    registers: this.#registers,
  });
  readonly #upstreamFailures = new Counter({
    name: 'gateway_upstream_failures_total',
    help: 'Attempts at providers that failed, by status or reason.',
    labelNames: ['result'] as const,
    registers: this.#registers,
  });
  readonly #guardianFailures = new Counter({
    name: 'gateway_guardian_failures_total',
    help: 'Reviews by the guardian that failed, by reason. Their content passed without a review.',
    labelNames: ['reason'] as const,
    registers: this.#registers,
  });
  readonly #durations = new Histogram({
    name: 'gateway_request_duration_seconds',
    help: 'Duration of requests.',
    buckets: BUCKETS,
    registers: this.#registers,
  });
  /** Requests that have not ended. */
  active = 0;

  constructor() {
    this.addRead({
      name: 'gateway_active_requests',
      help: 'Requests in progress.',
      type: 'gauge',
      read: () => this.active,
    });
  }

  /** Counts a request at its end. */
  countRequest(operation: string, status: number, seconds: number): void {
    this.#requests.inc({ operation, status });
    this.#durations.observe(seconds);
  }

  countRefusal(code: string): void {
    this.#refusals.inc({ code });
  }

  countUpstreamFailure(result: string | number): void {
    this.#upstreamFailures.inc({ result });
  }

  countGuardianFailure(reason: string): void {
    this.#guardianFailures.inc({ reason });
  }

  /** Adds a value that is read at each scrape. */
  addRead({ name, help, type, read }: ReadMetric): void {
    const registers = this.#registers;
    if (type === 'gauge') {
      new Gauge({
        ...{ name, help, registers },
        collect() {
          this.set(read());
        },
      });
      return;
    }
    new Counter({
      ...{ name, help, registers },
      collect() {
        this.reset();
        this.inc(read());
      },
    });
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  /** Returns all metrics as text. */
  render(): Promise<string> {
    return this.#registry.metrics();
  }
}
