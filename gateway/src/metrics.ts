// Counters of a node as Prometheus text (exposition format 0.0.4). Labels have few values: statuses and reasons, never
// apps, models or people.
type Labels = Readonly<Record<string, string | number>>;

/** Upper bounds of the histogram of durations, in seconds. */
const BUCKETS = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];

interface Gauge {
  name: string;
  help: string;
  type: 'gauge' | 'counter';
  read: () => number;
}

export class Metrics {
  readonly #requests = new Map<string, number>();
  readonly #refusals = new Map<string, number>();
  readonly #upstreamFailures = new Map<string, number>();
  readonly #buckets = new Array<number>(BUCKETS.length + 1).fill(0);
  #durationSum = 0;
  #durationCount = 0;
  readonly #gauges: Gauge[] = [];
  /** Requests that have not ended. */
  active = 0;

  /** Counts a request at its end. */
  countRequest(operation: string, status: number, seconds: number): void {
    increment(this.#requests, { operation, status });
    const bucket = BUCKETS.findIndex((bound) => seconds <= bound);
    const index = bucket === -1 ? BUCKETS.length : bucket;
    this.#buckets[index] = (this.#buckets[index] ?? 0) + 1;
    this.#durationSum += seconds;
    this.#durationCount++;
  }

  countRefusal(code: string): void {
    increment(this.#refusals, { code });
  }

  countUpstreamFailure(result: string | number): void {
    increment(this.#upstreamFailures, { result });
  }

  /** Adds a value that is read when metrics are. */
  addGauge(gauge: Gauge): void {
    this.#gauges.push(gauge);
  }

  /** Returns all metrics as text. */
  render(): string {
    return [
      ...renderCounter(
        'gateway_requests_total',
        'Requests by operation and status.',
        this.#requests,
      ),
      ...renderCounter('gateway_refusals_total', 'Refused requests by reason.', this.#refusals),
      ...renderCounter(
        'gateway_upstream_failures_total',
        'Attempts at providers that failed, by status or reason.',
        this.#upstreamFailures,
      ),
      ...this.#renderDurations(),
      ...[
        {
          name: 'gateway_active_requests',
          help: 'Requests in progress.',
          type: 'gauge',
          read: () => this.active,
        },
        ...this.#gauges,
      ].flatMap(({ name, help, type, read }) => [...head(name, help, type), `${name} ${read()}`]),
      '',
    ].join('\n');
  }

  #renderDurations(): string[] {
    const name = 'gateway_request_duration_seconds';
    let sum = 0;
    const lines = [...BUCKETS, '+Inf'].map((bound, index) => {
      sum += this.#buckets[index] ?? 0;
      return `${name}_bucket{le="${bound}"} ${sum}`;
    });
    return [
      ...head(name, 'Duration of requests.', 'histogram'),
      ...lines,
      `${name}_sum ${this.#durationSum}`,
      `${name}_count ${this.#durationCount}`,
    ];
  }
}

function increment(counter: Map<string, number>, labels: Labels): void {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${value}"`);
  const key = pairs.join(',');
  counter.set(key, (counter.get(key) ?? 0) + 1);
}

const head = (name: string, help: string, type: string) => [
  `# HELP ${name} ${help}`,
  `# TYPE ${name} ${type}`,
];

function renderCounter(name: string, help: string, counter: ReadonlyMap<string, number>): string[] {
  return [
    ...head(name, help, 'counter'),
    ...[...counter].map(([labels, value]) => `${name}{${labels}} ${value}`),
  ];
}
