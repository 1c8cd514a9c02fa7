// The outcome of a provider's last test, as a cell of the list of providers.
import type {
  LastProviderTest,
  LastProviderTestsAnswer,
} from '@gatewarden/shared/wire/console/provider-tests.ts';
import type { ProviderTest } from '@gatewarden/shared/wire/management/providers.ts';
import { useResource } from '../api/tenant.ts';
import { Badge, type Tone } from '../ui/Badges.tsx';
import { Time } from '../ui/Time.tsx';
import { gatewayTexts } from './texts.ts';

const t = gatewayTexts.providers;

const TONES: Record<ProviderTest['outcome'], Tone> = {
  passed: 'good',
  failed: 'bad',
  unsupported: 'plain',
};

/** Returns the last test of each provider by label; empty until it is loaded. */
export function useLastTests(): ReadonlyMap<string, LastProviderTest> {
  const { data } = useResource<LastProviderTestsAnswer>(
    'gateway',
    '/llm/provider-tests',
    {},
    'aside',
  );
  return new Map(data?.items.map((test) => [test.label, test]));
}

/**
 * Returns the reason of a test that did not pass; null if it passed. A connection that failed without a duration was not tried,
 * because the hub may not call the address.
 */
export function testReason({
  code,
  latency_ms: latency,
}: {
  code: string | null;
  latency_ms?: number | null;
}): string | null {
  if (code === 'connection_failed' && typeof latency !== 'number') return t.addressRefused;
  return code === null ? null : (t.testReasons[code] ?? code);
}

export function LastTest({ test }: { test: LastProviderTest | undefined }) {
  if (test === undefined) return <span className="gw-dimmed">{t.notTested}</span>;
  const reason = testReason(test);
  return (
    <div>
      <Badge tone={test.state === 'current' ? TONES[test.outcome] : 'plain'} dot>
        {t.shortOutcomes[test.outcome]}
      </Badge>
      <div className="gw-dimmed gw-small">
        <Time at={test.completed_at} />
      </div>
      {reason === null ? null : <div className="gw-dimmed gw-small">{reason}</div>}
      {test.state === 'current' ? null : <div className="gw-dimmed gw-small">{t.outdatedTest}</div>}
    </div>
  );
}
