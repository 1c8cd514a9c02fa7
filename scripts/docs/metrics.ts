// docs/reference/metrics.md: the metrics of a hub, from its registry.
import { createMetrics } from '@gatewarden/hub/src/platform/telemetry/metrics.ts';
import { anchor, code, type Derived, referencePage, sentence, table } from './markdown.ts';

interface RegisteredMetric {
  name: string;
  help: string;
  type: string;
  labelNames: readonly string[];
}

/** Returns the metrics of a registry without sources; values are not read. */
export function registeredMetrics(): RegisteredMetric[] {
  const { registry } = createMetrics('0.0.0', {
    counter: { count: 0 },
    pools: [],
    bodyBytes: () => 0,
    utilization: () => 0,
  });
  // The library's type hides the names of labels, which every metric has.
  return registry.getMetricsAsArray() as unknown as RegisteredMetric[];
}

/** Returns docs/reference/metrics.md. */
export function metricsPage(): Derived {
  const metrics = registeredMetrics().sort((a, b) => (a.name < b.name ? -1 : 1));
  return referencePage('metrics', {
    title: 'Metrics',
    source: 'hub/src/platform/telemetry/metrics.ts',
    body: [
      'Prometheus metrics of each hub process at `GET /metrics`. No label contains a tenant or a device. [Alarms](alarms.md) lists the rules that use them.',
      '`HUB_METRICS_TOKEN` and `HUB_METRICS_ALLOWED_NETWORKS` decide who may read them; see [Configuration](configuration.md).',
      table(
        ['Metric', 'Type', 'Labels', 'Meaning'],
        metrics.map(({ name, help, type, labelNames }) => [
          `${anchor(name)}${code(name)}`,
          type,
          labelNames.map(code).join(', '),
          sentence(help),
        ]),
      ),
    ],
  });
}
