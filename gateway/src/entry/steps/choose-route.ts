// Step: the providers and models that may serve a request, in order.

import type { ProviderType } from '@gatewarden/shared/wire/management/providers.ts';
import type { DeliveredApp, ProviderDocument, TenantSnapshot } from '../../config/documents.ts';
import {
  DURATION_MS,
  type EffectiveApp,
  type GroupKind,
  type LimitCounters,
  routeRequest,
} from '../../policy/index.ts';
import { PROVIDER_TABLE } from '../../providers/table.ts';
import type { Call } from '../call.ts';
import type { Operation } from '../operations.ts';
import { requirePassed } from '../refusal.ts';
import { listProviders } from './list-providers.ts';

/** A provider and a model that can serve the request. */
export interface Candidate {
  provider: ProviderDocument;
  model: string;
}

export interface ChosenRoute {
  candidates: Candidate[];
  groupId: string | null;
  mode: 'direct' | 'weighted' | 'token_based' | 'custom';
}

const GROUP_KINDS: Partial<Record<Operation, GroupKind>> = {
  chat: 'chat_completion',
  messages: 'vendorC_messages',
  gemini: 'vendorE_ai',
  responses: 'responses',
  realtime: 'realtime',
  invoke: 'vendorG_runtime',
  converse: 'vendorG_runtime',
};

/** Period for which a token-based group balances the tokens of its models. */
const BALANCE_MS = DURATION_MS.hour;

/** Returns the route of a request. Throws a Refusal if no provider can serve it. */
export function chooseRoute(
  tenant: TenantSnapshot,
  app: DeliveredApp,
  effective: EffectiveApp,
  call: Call,
  counters: LimitCounters,
): ChosenRoute {
  const { model } = call;
  const { operation } = call.api;
  const routing = effective.config.routing ?? {};
  const providers = listProviders(tenant, app);
  const needsWords = routing.routing_thresholds !== undefined;
  const plan = requirePassed(
    routeRequest(
      routing,
      { model, kind: GROUP_KINDS[operation] ?? null, words: needsWords ? call.words : 0 },
      {
        providers,
        serves: (type) => PROVIDER_TABLE[type as ProviderType]?.endpoints[operation] !== undefined,
        allowedModels: effective.allowedModels,
        random: Math.random,
        tokensUsed: (group, candidate) =>
          counters.count(groupKey(app, group, candidate), BALANCE_MS),
      },
    ),
  );
  const byLabel = new Map(providers.map((provider) => [provider.label, provider]));
  const candidates = plan.candidates.flatMap(({ providerLabel, model: target }) => {
    const provider = byLabel.get(providerLabel);
    return provider === undefined ? [] : [{ provider, model: target }];
  });
  return { candidates, groupId: plan.groupId, mode: plan.mode };
}

/** Counts the tokens of an answer for the balance of a token-based group. */
export function countGroupTokens(
  app: DeliveredApp,
  route: ChosenRoute,
  { provider, model }: Candidate,
  tokens: number,
  counters: LimitCounters,
): void {
  if (route.mode !== 'token_based' || route.groupId === null) return;
  const target = { providerLabel: provider.label, model };
  counters.add(groupKey(app, route.groupId, target), BALANCE_MS, tokens);
}

/** The name of the counter of a model in a token-based group. */
function groupKey(
  app: DeliveredApp,
  group: string,
  { providerLabel, model }: { providerLabel: string; model: string },
): string {
  return `group ${app.app_id} ${JSON.stringify([group, providerLabel, model])}`;
}
