// Resolves the model of a request to an ordered list of candidates: the first serves the request, the others are for
// failover. A name resolves in this order:
// 1. a model that an attached provider lists, in the order of attachment;
// 2. a routing group: its models in a random order by weight;
// 3. a token-based group: the model that is furthest below its share of the group's tokens comes first;
// 4. published custom routing, by the words of the request;
// 5. the first attached provider that lists no models, because it serves every name.
import type { CustomRoute, GroupKind, RoutingGroup, RoutingSettings } from './settings.ts';
import type { Refused, Verdict } from './types.ts';
import { pass, refuse } from './verdicts.ts';

/** An attached provider, in the order of `provider_labels`. */
export interface RoutedProvider {
  label: string;
  provider_name: string;
  enabled: boolean;
  /** Empty: the provider serves every model name. */
  selected_models: readonly string[];
}

export interface RoutingRequest {
  /** Null where the API has no model name. */
  model: string | null;
  /** The kind of groups that serve this API; null if none does. */
  kind: GroupKind | null;
  words: number;
}

export interface RoutingContext {
  providers: readonly RoutedProvider[];
  /** Returns whether a provider type serves the API of the request. */
  serves: (providerName: string) => boolean;
  /** Models by label that policy authority allows; a label without entry is unrestricted. */
  allowedModels: ReadonlyMap<string, ReadonlySet<string>>;
  /** Returns a number from 0 (inclusive) to 1 (exclusive). */
  random: () => number;
  /** Returns the tokens that a candidate of a group used lately. */
  tokensUsed: (groupName: string, candidate: RouteCandidate) => number;
}

export interface RouteCandidate {
  providerLabel: string;
  providerName: string;
  model: string;
}

export interface RoutePlan {
  /** At least one candidate. */
  candidates: readonly RouteCandidate[];
  /** The name of the group, or the type of the custom route. */
  groupId: string | null;
  mode: 'direct' | 'weighted' | 'token_based' | 'custom';
}

/**
 * Returns the candidates of a request. Rejects with 404 a model that the app does not offer, with 403 a model that
 * policy authority denies, and with 503 a model of disabled providers only.
 */
export function routeRequest(
  routing: RoutingSettings,
  request: RoutingRequest,
  context: RoutingContext,
): Verdict<RoutePlan> {
  const plan =
    routeToListedModel(request, context) ??
    routeToGroup(routing.routing_groups, request, context, 'weighted') ??
    routeToGroup(routing.token_based_routing_groups, request, context, 'token_based') ??
    routeByContextSize(routing, request, context) ??
    routeToOpenProvider(request, context);
  if (plan === null) return refuseUnknownModel(request);
  return restrictToAvailable(plan, request, context);
}

function routeToListedModel(request: RoutingRequest, context: RoutingContext): RoutePlan | null {
  const { model } = request;
  if (model === null) return null;
  return directPlan(
    context.providers
      .filter((provider) => provider.selected_models.includes(model))
      .filter(({ provider_name }) => context.serves(provider_name))
      .map((provider) => candidateOf(provider, model)),
  );
}

function routeToOpenProvider(request: RoutingRequest, context: RoutingContext): RoutePlan | null {
  const open = context.providers.filter(
    ({ provider_name, selected_models }) =>
      context.serves(provider_name) && (selected_models.length === 0 || request.model === null),
  );
  const provider = open.find(({ enabled }) => enabled) ?? open[0];
  if (provider === undefined) return null;
  return directPlan([candidateOf(provider, request.model ?? provider.selected_models[0] ?? '')]);
}

function directPlan(candidates: readonly RouteCandidate[]): RoutePlan | null {
  return candidates.length === 0 ? null : { candidates, groupId: null, mode: 'direct' };
}

function routeToGroup(
  groups: readonly RoutingGroup[] | undefined,
  request: RoutingRequest,
  context: RoutingContext,
  mode: 'weighted' | 'token_based',
): RoutePlan | null {
  const group = groups?.find(
    ({ group_name, group_kind }) =>
      group_name === request.model && (group_kind === undefined || group_kind === request.kind),
  );
  if (group === undefined) return null;
  const weighted = group.models.flatMap(
    ({ provider_name, model_name, credential_source, weight }) =>
      findTargets(provider_name, model_name, credential_source, context).map((candidate) => ({
        candidate,
        weight,
      })),
  );
  if (weighted.length === 0) return null;
  const candidates =
    mode === 'weighted'
      ? shuffleByWeight(weighted, context.random)
      : orderByTokenShare(weighted, (candidate) => context.tokensUsed(group.group_name, candidate));
  return { candidates, groupId: group.group_name, mode };
}

interface Weighted {
  candidate: RouteCandidate;
  weight: number;
}

/** Draws the candidates in turn, each with a chance in proportion to its weight among those left. */
function shuffleByWeight(weighted: readonly Weighted[], random: () => number): RouteCandidate[] {
  const left = [...weighted];
  const order: RouteCandidate[] = [];
  while (left.length > 0) {
    let point = random() * left.reduce((sum, { weight }) => sum + weight, 0);
    const index = left.findIndex(({ weight }) => {
      point -= weight;
      return point < 0;
    });
    // The last candidate takes what rounding leaves.
    const [drawn] = left.splice(index === -1 ? left.length - 1 : index, 1);
    if (drawn !== undefined) order.push(drawn.candidate);
  }
  return order;
}

function orderByTokenShare(
  weighted: readonly Weighted[],
  tokensUsed: (candidate: RouteCandidate) => number,
): RouteCandidate[] {
  return weighted
    .map(({ candidate, weight }) => ({ candidate, weight, load: tokensUsed(candidate) / weight }))
    .sort((a, b) => a.load - b.load || b.weight - a.weight)
    .map(({ candidate }) => candidate);
}

function routeByContextSize(
  { custom_routing = [], routing_thresholds }: RoutingSettings,
  request: RoutingRequest,
  context: RoutingContext,
): RoutePlan | null {
  if (routing_thresholds === undefined) return null;
  const type = contextSizeOf(request.words, routing_thresholds);
  const route = custom_routing.find(
    (candidate) =>
      candidate.is_published &&
      candidate.type === type &&
      (candidate.group === undefined || candidate.group === request.kind),
  );
  const candidates = (route?.models ?? []).flatMap(
    ({ provider_name, model, credential_source, label }) =>
      findTargets(provider_name, model, credential_source ?? label, context),
  );
  return candidates.length === 0 ? null : { candidates, groupId: type, mode: 'custom' };
}

function contextSizeOf(
  words: number,
  thresholds: NonNullable<RoutingSettings['routing_thresholds']>,
): CustomRoute['type'] {
  if (words <= thresholds.low_max_words) return 'Low_Context_Request';
  if (words <= thresholds.medium_max_words) return 'Medium_Context_Request';
  return 'High_Context_Request';
}

/** Returns the first attached provider that a target of a group refers to, preferring an enabled provider. */
function findTargets(
  providerName: string,
  model: string,
  label: string | undefined,
  { providers, serves }: RoutingContext,
): RouteCandidate[] {
  const matches = providers.filter(
    (provider) =>
      provider.provider_name === providerName &&
      (label === undefined || provider.label === label) &&
      (provider.selected_models.length === 0 || provider.selected_models.includes(model)) &&
      serves(providerName),
  );
  const provider = matches.find(({ enabled }) => enabled) ?? matches[0];
  return provider === undefined ? [] : [candidateOf(provider, model)];
}

function candidateOf(provider: RoutedProvider, model: string): RouteCandidate {
  return { providerLabel: provider.label, providerName: provider.provider_name, model };
}

/** Removes candidates of disabled providers, and models that policy authority denies. */
function restrictToAvailable(
  plan: RoutePlan,
  request: RoutingRequest,
  { providers, allowedModels }: RoutingContext,
): Verdict<RoutePlan> {
  const permitted = plan.candidates.filter(
    ({ providerLabel, model }) => allowedModels.get(providerLabel)?.has(model) ?? true,
  );
  if (permitted.length === 0) {
    return refuse(
      403,
      'model_not_allowed',
      `The model ${quote(request.model)} is not allowed for this app. Use an allowed model.`,
    );
  }
  const enabled = new Set(
    providers.filter((provider) => provider.enabled).map(({ label }) => label),
  );
  const candidates = permitted.filter(({ providerLabel }) => enabled.has(providerLabel));
  if (candidates.length > 0) return pass({ ...plan, candidates });
  return refuse(
    503,
    'provider_disabled',
    `The provider of ${quote(request.model)} is disabled. Use another model, or ask an administrator.`,
  );
}

function refuseUnknownModel({ model }: RoutingRequest): Refused {
  return refuse(
    404,
    'model_not_found',
    model === null
      ? 'No provider of this app serves this API. Ask an administrator to attach a provider.'
      : `This app does not offer the model ${quote(model)} at this API. GET /v1/models lists its models.`,
  );
}

function quote(model: string | null): string {
  return model === null ? 'this API' : `"${model.slice(0, 200)}"`;
}

/** Returns the names that `GET /v1/models` lists: models of enabled providers, then groups; each once. */
export function listModels(
  routing: RoutingSettings,
  { providers, allowedModels }: Pick<RoutingContext, 'providers' | 'allowedModels'>,
): string[] {
  const models = providers
    .filter(({ enabled }) => enabled)
    .flatMap(({ label, selected_models }) =>
      selected_models.filter((model) => allowedModels.get(label)?.has(model) ?? true),
    );
  const groups = [
    ...(routing.routing_groups ?? []),
    ...(routing.token_based_routing_groups ?? []),
  ].map(({ group_name }) => group_name);
  return [...new Set([...models, ...groups])];
}
