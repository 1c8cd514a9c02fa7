// Validates routing: it refers to attached providers and their models, with weights that add up to 100.
import { HubError } from '../../../platform/http/errors/errors.ts';
import { isObject } from '../../../platform/http/json/parse-json.ts';

export interface ProviderFacts {
  label: string;
  provider_name: string;
  enabled: boolean;
  /** Empty if unrestricted. */
  selected_models: readonly string[];
}

interface Target {
  provider_name: string;
  model_name?: string;
  model?: string;
  credential_source?: string;
  label?: string;
  weight?: number;
}

interface Routing {
  routing_groups?: { group_name: string; models: Target[] }[];
  token_based_routing_groups?: { group_name: string; models: Target[] }[];
  custom_routing?: { models: Target[] }[];
  routing_thresholds?: { low_max_words: number; medium_max_words: number };
}

const LISTS = ['routing_groups', 'token_based_routing_groups', 'custom_routing'] as const;

/** The possible targets of an app. */
export interface Attached {
  /** Shared providers of the tenant, by label. */
  providers: ReadonlyMap<string, ProviderFacts>;
  /** Labels attached to this app, now and before the change. */
  attached: readonly string[];
  attachedBefore: readonly string[];
  /** The types of a legacy app's own providers, whose models are unknown. */
  ownTypes: readonly string[];
}

/** Validates routing independently of attached providers. Throws 400 with a pointer. */
export function checkGroups(section: object, pointer: string): void {
  const routing = section as Routing;
  const thresholds = routing.routing_thresholds;
  if (thresholds !== undefined && thresholds.low_max_words > thresholds.medium_max_words) {
    throw invalid(
      `${pointer}/routing_thresholds/low_max_words`,
      'must not be greater than medium_max_words',
    );
  }
  for (const name of ['routing_groups', 'token_based_routing_groups'] as const) {
    const seen = new Set<string>();
    for (const [i, { group_name, models }] of (routing[name] ?? []).entries()) {
      const at = `${pointer}/${name}/${i}`;
      if (seen.has(group_name)) throw invalid(`${at}/group_name`, 'is a duplicate');
      seen.add(group_name);
      checkWeights(models, `${at}/models`);
    }
  }
}

/**
 * Requires that each target is attached and offers the model. Throws 400 with a pointer. A provider may come to offer
 * fewer models than are routed to: targets of `before` may remain, unless this change removes the providers that offer
 * them.
 */
export function checkTargets(
  section: object,
  pointer: string,
  attached: Attached,
  before: object = {},
): void {
  const formerly = { ...attached, attached: attached.attachedBefore };
  const previousTargets = new Set(
    targetsOf(before, '')
      .filter(({ target }) => !isOffered(target, formerly))
      .map(({ target }) => routeOf(target)),
  );
  for (const { target, at } of targetsOf(section, pointer)) {
    checkTarget(target, at, attached, previousTargets.has(routeOf(target)));
  }
}

/** Returns the models that a stored routing names and that no attached provider offers, each once. */
export function modelsNotOffered(
  section: unknown,
  providers: ReadonlyMap<string, Pick<ProviderFacts, 'provider_name' | 'selected_models'>>,
  attached: readonly string[],
): string[] {
  if (!isObject(section)) return [];
  const missing = targetsOf(section, '')
    .filter(({ target }) => !isOffered(target, { providers, attached }))
    .map(({ target }) => modelOf(target));
  return [...new Set(missing)];
}

function targetsOf(section: object, pointer: string): { target: Target; at: string }[] {
  const routing = section as Routing;
  return LISTS.flatMap((name) =>
    (routing[name] ?? []).flatMap(({ models }, i) =>
      models.map((target, j) => ({ target, at: `${pointer}/${name}/${i}/models/${j}` })),
    ),
  );
}

/** Returns the target without its weight, as a key. */
const routeOf = ({ provider_name, model_name, model, credential_source, label }: Target) =>
  JSON.stringify([provider_name, model_name ?? model, credential_source ?? label]);

function checkWeights(models: readonly Target[], pointer: string): void {
  const sum = models.reduce((total, { weight }) => total + (weight ?? 0), 0);
  // Thirds and sevenths are written with few digits: 33.33 three times, whose binary sum is slightly below 99.99.
  if (Math.abs(sum - 100) > 0.01 + 1e-9)
    throw invalid(pointer, 'must have weights that sum to 100');
}

function checkTarget(
  target: Target,
  pointer: string,
  attached: Attached,
  isUnchanged: boolean,
): void {
  const hasSource = target.credential_source !== undefined || target.label !== undefined;
  const isOwn = !hasSource && attached.ownTypes.includes(target.provider_name);
  // Targets of a legacy app may name its own providers in other ways.
  if (isOwn || (isUnchanged && attached.ownTypes.length > 0)) return;
  const found = candidatesFor(target, attached);
  if (hasSource && found.length === 0) {
    const member = target.credential_source === undefined ? 'label' : 'credential_source';
    throw invalid(`${pointer}/${member}`, 'is not a provider that is attached to this app');
  }
  if (!found.some((provider) => provider.provider_name === target.provider_name)) {
    throw invalid(`${pointer}/provider_name`, 'is not the type of a provider attached to this app');
  }
  if (!isUnchanged && !isOffered(target, attached)) {
    const name = target.model_name === undefined ? 'model' : 'model_name';
    throw invalid(`${pointer}/${name}`, 'is not among the selected models of its provider');
  }
}

/** Returns the attached providers that a target may refer to. */
function candidatesFor<Facts>(
  { credential_source, label }: Target,
  { providers, attached }: { providers: ReadonlyMap<string, Facts>; attached: readonly string[] },
): Facts[] {
  const source = credential_source ?? label;
  return attached
    .filter((label) => source === undefined || label === source)
    .map((label) => providers.get(label))
    .filter((provider) => provider !== undefined);
}

/** Returns whether a provider of the target's type offers the model. */
function isOffered(
  target: Target,
  attached: {
    providers: ReadonlyMap<string, Pick<ProviderFacts, 'provider_name' | 'selected_models'>>;
    attached: readonly string[];
  },
): boolean {
  return candidatesFor(target, attached).some(
    ({ provider_name, selected_models }) =>
      provider_name === target.provider_name &&
      (selected_models.length === 0 || selected_models.includes(modelOf(target))),
  );
}

const modelOf = ({ model_name, model }: Target) => model_name ?? model ?? '';

function invalid(pointer: string, words: string): HubError {
  return new HubError('invalid_request', `${pointer} ${words}`);
}
