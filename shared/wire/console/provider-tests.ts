// C/llm/provider-tests: the last test of each provider.
import { type Static, Type } from 'typebox';
import { Nullable, OneOf } from '../common.ts';
import { ProviderTest } from '../management/providers.ts';

const { kind, model, outcome, code } = ProviderTest.properties;

export const LastProviderTest = Type.Object(
  {
    label: Type.String(),
    ...{ kind, model, outcome, code },
    latency_ms: Nullable(Type.Integer()),
    completed_at: Type.String(),
    /** `outdated`: the provider has changed after the test. */
    state: OneOf(['current', 'outdated'] as const),
  },
  { title: 'LastProviderTest' },
);
export type LastProviderTest = Static<typeof LastProviderTest>;

export const LastProviderTestsAnswer = Type.Object({
  /** A row for each provider that was tested. */
  items: Type.Array(LastProviderTest),
  request_id: Type.String(),
});
export type LastProviderTestsAnswer = Static<typeof LastProviderTestsAnswer>;
