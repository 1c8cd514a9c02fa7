// Routing refers to what is attached: its providers, their models, and weights that make up the whole.
import { HubError } from '../../../platform/http/errors.ts';

export interface ProviderFacts {
  label: string;
  provider_name: string;
  enabled: boolean;
  /** Empty: not restricted. */
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

interface Attached {
  providers: ReadonlyMap<string, ProviderFacts>;
  attached: readonly string[];
}

/** What it says by itself, whatever is attached. Throws 400 with a pointer. */
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
      if (seen.has(group_name)) throw invalid(`${at}/group_name`, 'stands there twice');
      seen.add(group_name);
      checkWeights(models, `${at}/models`);
    }
  }
}

/**
 * What it names is attached and has the model. Throws 400 with a pointer. A provider may come to offer fewer models
 * than are routed to: what stood in the routing of `before` may go on to name them.
 */
export function checkTargets(
  section: object,
  pointer: string,
  attached: Attached,
  before: object = {},
): void {
  const stood = new Set(targetsOf(before, '').map(({ target }) => routeOf(target)));
  for (const { target, at } of targetsOf(section, pointer)) {
    checkTarget(target, at, attached, stood.has(routeOf(target)));
  }
}

function targetsOf(section: object, pointer: string): { target: Target; at: string }[] {
  const routing = section as Routing;
  return LISTS.flatMap((name) =>
    (routing[name] ?? []).flatMap(({ models }, i) =>
      models.map((target, j) => ({ target, at: `${pointer}/${name}/${i}/models/${j}` })),
    ),
  );
}

/** Where a target leads, whatever its weight. */
const routeOf = ({ provider_name, model_name, model, credential_source, label }: Target) =>
  JSON.stringify([provider_name, model_name ?? model, credential_source ?? label]);

function checkWeights(models: readonly Target[], pointer: string): void {
  const sum = models.reduce((total, { weight }) => total + (weight ?? 0), 0);
  // Thirds and sevenths are written with as many digits as people have patience for.
  if (Math.abs(sum - 100) > 0.01) throw invalid(pointer, 'must have weights that sum to 100');
}

function checkTarget(
  target: Target,
  pointer: string,
  { providers, attached }: Attached,
  hasStood: boolean,
): void {
  const source = target.credential_source ?? target.label;
  const member = target.credential_source === undefined ? 'label' : 'credential_source';
  const candidates = attached
    .filter((label) => source === undefined || label === source)
    .map((label) => providers.get(label))
    .filter((one) => one !== undefined);
  if (source !== undefined && candidates.length === 0) {
    throw invalid(`${pointer}/${member}`, 'is not a provider that is attached to this app');
  }
  const ofType = candidates.filter((one) => one.provider_name === target.provider_name);
  if (ofType.length === 0) {
    throw invalid(`${pointer}/provider_name`, 'is not the type of a provider attached to this app');
  }
  const model = target.model_name ?? target.model ?? '';
  const offers = (one: ProviderFacts) =>
    one.selected_models.length === 0 || one.selected_models.includes(model);
  if (!hasStood && !ofType.some(offers)) {
    const name = target.model_name === undefined ? 'model' : 'model_name';
    throw invalid(`${pointer}/${name}`, 'is not among the selected models of its provider');
  }
}

function invalid(pointer: string, words: string): HubError {
  return new HubError('invalid_request', `${pointer} ${words}`);
}
