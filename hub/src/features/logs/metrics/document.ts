// Builds the metrics document from the figures: sections, percentages and coverage. Pure.
import type { Counted, MetricFigures } from './store.ts';

export interface MetricsScope {
  scope: 'app' | 'all_apps';
  /** The active apps of the scope. */
  apps: readonly { name: string }[];
  shown: Record<string, unknown>;
  complete: boolean;
  maxRows: number;
}

/** Returns the document of the metrics view (document 2). */
export function documentOf(figures: MetricFigures, scope: MetricsScope) {
  const { scanned, violations, violations_blocked: blocked } = figures;
  const anonymized = figures.violations_anonymized;
  const names = [...new Set(scope.apps.map(({ name }) => name))].sort(byCodePoint);
  const withTraffic = new Set(figures.traffic.map(({ name }) => name));
  const quiet = names.filter((name) => !withTraffic.has(name));
  return {
    type: 'llmgateway.executive_metrics',
    schema_version: 'v1',
    scope: scope.scope,
    window: scope.shown,
    security_metrics: {
      prompt_injection_attempts: figures.injection,
      jailbreak_attempts: figures.jailbreak,
      secrets_exposure_events: figures.secrets,
      pii_phi_pci_violations: {
        total: figures.personal,
        pii: figures.pii,
        phi: figures.phi,
        pci: figures.pci,
        pfi: figures.pfi,
      },
      blocked_requests: figures.blocked,
      high_severity_incidents: figures.high,
    },
    risk_metrics: {
      top_applications_by_violations: figures.violating_apps,
      users_with_repeated_violations: figures.violating_users,
      top_violation_categories: figures.categories,
      client_data_exposure_attempts: figures.client,
    },
    governance_metrics: {
      total_requests: scanned,
      traffic_share_by_app: figures.traffic.map((app) => shareOf(app, scanned)),
      integrated_applications: {
        count: scope.apps.length,
        names,
        active_in_window: names.length - quiet.length,
      },
      applications_without_traffic_in_window: quiet,
      guardrail_effectiveness: {
        detections_total: violations,
        blocked,
        anonymized,
        monitored_only: violations - blocked - anonymized,
        prevented_percent: violations === 0 ? null : percent(blocked + anonymized, violations),
      },
    },
    executive_kpis: {
      critical_events_prevented: figures.high_blocked,
      secrets_blocked: figures.secrets_blocked,
      prompt_injection_attempts_blocked: figures.injection_blocked,
      jailbreak_attempts_blocked: figures.jailbreak_blocked,
      sensitive_records_protected: figures.protected,
    },
    coverage: { scanned_requests: scanned, complete: scope.complete, max_scan_rows: scope.maxRows },
  };
}

function shareOf({ name, count }: Counted, total: number) {
  return { name, requests: count, percent: percent(count, total) };
}

/** Returns a percentage with two decimals, half up; in integers, because 1.005 has no exact double. */
export function percent(part: number, whole: number): number {
  return Math.floor((part * 20_000 + whole) / (2 * whole)) / 100;
}

/** Compares strings by code point, as PostgreSQL's collation "C". */
export function byCodePoint(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
