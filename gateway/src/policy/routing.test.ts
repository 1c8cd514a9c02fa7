import { describe, expect, it } from 'vitest';
import { listModels, type RoutingContext, type RoutingRequest, routeRequest } from './routing.ts';
import type { GroupKind, RoutingGroup, RoutingSettings } from './settings.ts';

const provider = (label: string, provider_name: string, selected_models: string[] = []) => ({
  label,
  provider_name,
  enabled: true,
  selected_models,
});
const MAIN = provider('main', 'vendorA', ['m-1', 'm-2']);
const SPARE = provider('spare', 'vendorA', ['m-1']);
const OPEN = provider('open', 'general');
const CLAUDE = provider('claude', 'vendorC_messages', ['c-1']);

function route(
  routing: RoutingSettings,
  request: Partial<RoutingRequest>,
  context: Partial<RoutingContext> = {},
) {
  const verdict = routeRequest(
    routing,
    { model: 'm-1', kind: 'chat_completion', words: 10, ...request },
    {
      providers: [MAIN, SPARE],
      serves: () => true,
      allowedModels: new Map(),
      random: () => 0,
      tokensUsed: () => 0,
      ...context,
    },
  );
  if (!verdict.passed) return verdict.code;
  const { candidates, mode, groupId } = verdict.value;
  return [
    mode,
    groupId,
    ...candidates.map(({ providerLabel, model }) => `${providerLabel}:${model}`),
  ];
}

describe('model names', () => {
  const disabled = { ...MAIN, enabled: false };

  it.each<[string, string | null, Partial<RoutingContext>, unknown]>([
    ['routes to listed models in order', 'm-1', {}, ['direct', null, 'main:m-1', 'spare:m-1']],
    ['routes to the only provider of a model', 'm-2', {}, ['direct', null, 'main:m-2']],
    ['refuses a model that nobody lists', 'm-9', {}, 'model_not_found'],
    ['prefers a list', 'm-2', { providers: [OPEN, MAIN] }, ['direct', null, 'main:m-2']],
    [
      'routes any name to an unrestricted provider',
      'm-9',
      { providers: [MAIN, OPEN] },
      ['direct', null, 'open:m-9'],
    ],
    [
      'skips providers of another API',
      'm-1',
      { serves: (name) => name !== 'vendorA', providers: [MAIN, OPEN] },
      ['direct', null, 'open:m-1'],
    ],
    [
      'skips a disabled provider',
      'm-1',
      { providers: [disabled, SPARE] },
      ['direct', null, 'spare:m-1'],
    ],
    [
      'refuses a model of a disabled provider',
      'm-2',
      { providers: [disabled] },
      'provider_disabled',
    ],
    ['routes an API without models to the first provider', null, {}, ['direct', null, 'main:m-1']],
    [
      'refuses a model that policy authority denies',
      'm-2',
      { allowedModels: new Map([['main', new Set(['m-1'])]]) },
      'model_not_allowed',
    ],
    [
      'keeps a provider that policy authority does not name',
      'm-1',
      { allowedModels: new Map([['main', new Set(['m-2'])]]) },
      ['direct', null, 'spare:m-1'],
    ],
  ])('%s', (_claim, model, context, plan) => {
    expect(route({}, { model }, context)).toEqual(plan);
  });
});

const GROUP: RoutingGroup = {
  group_name: 'fast',
  models: [
    { provider_name: 'vendorA', model_name: 'm-1', credential_source: 'main', weight: 70 },
    { provider_name: 'vendorA', model_name: 'm-1', credential_source: 'spare', weight: 20 },
    { provider_name: 'vendorC_messages', model_name: 'c-1', weight: 10 },
  ],
};
const ALL = { providers: [MAIN, SPARE, CLAUDE] };

describe('routing_groups', () => {
  it.each([
    ['draws the first model', 0.69, ['main:m-1', 'spare:m-1', 'claude:c-1']],
    ['draws the second model', 0.71, ['spare:m-1', 'main:m-1', 'claude:c-1']],
    ['draws the third model', 0.95, ['claude:c-1', 'main:m-1', 'spare:m-1']],
  ])('%s by weight and keeps the others for failover', (_claim, first, order) => {
    const draws = [first, 0, 0];
    const random = () => draws.shift() ?? 0;
    const plan = route({ routing_groups: [GROUP] }, { model: 'fast' }, { ...ALL, random });
    expect(plan).toEqual(['weighted', 'fast', ...order]);
  });

  it('draws in proportion to the weights', () => {
    const counts = new Map<string, number>();
    for (let draw = 0; draw < 100; draw++) {
      const context = { ...ALL, random: () => draw / 100 };
      const first = String(route({ routing_groups: [GROUP] }, { model: 'fast' }, context)[2]);
      counts.set(first, (counts.get(first) ?? 0) + 1);
    }
    expect(Object.fromEntries(counts)).toEqual({
      'main:m-1': 70,
      'spare:m-1': 20,
      'claude:c-1': 10,
    });
  });

  it.each<[string, GroupKind | undefined, GroupKind | null, boolean]>([
    ['serves every API without a kind', undefined, 'responses', true],
    ['serves its kind', 'chat_completion', 'chat_completion', true],
    ['refuses another kind', 'chat_completion', 'responses', false],
  ])('%s', (_claim, group_kind, kind, isServed) => {
    const group = group_kind === undefined ? GROUP : { ...GROUP, group_kind };
    const plan = route({ routing_groups: [group] }, { model: 'fast', kind }, ALL);
    expect(plan === 'model_not_found').toBe(!isServed);
  });

  it('leaves out models whose provider is detached', () => {
    const plan = route({ routing_groups: [GROUP] }, { model: 'fast' }, { providers: [SPARE] });
    expect(plan).toEqual(['weighted', 'fast', 'spare:m-1']);
  });
});

describe('token_based_routing_groups', () => {
  it.each<[string, Record<string, number>, string[]]>([
    ['starts with the largest share', {}, ['main', 'spare', 'claude']],
    [
      'prefers the model below its share',
      { main: 700, spare: 100, claude: 100 },
      ['spare', 'main', 'claude'],
    ],
    ['prefers an unused model', { main: 10, spare: 10 }, ['claude', 'main', 'spare']],
  ])('%s', (_claim, used, order) => {
    const tokensUsed = (_name: string, { providerLabel }: { providerLabel: string }) =>
      used[providerLabel] ?? 0;
    const routing = { token_based_routing_groups: [GROUP] };
    const plan = route(routing, { model: 'fast' }, { ...ALL, tokensUsed });
    const models = order.map((label) => `${label}:${label === 'claude' ? 'c-1' : 'm-1'}`);
    expect(plan).toEqual(['token_based', 'fast', ...models]);
  });
});

describe('custom_routing', () => {
  const target = (model: string) => [{ provider_name: 'vendorA', model, label: 'main' }];
  const ROUTING: RoutingSettings = {
    routing_thresholds: { low_max_words: 10, medium_max_words: 100 },
    custom_routing: [
      { type: 'Low_Context_Request', is_published: true, models: target('m-1') },
      { type: 'Medium_Context_Request', is_published: true, models: target('m-2') },
      {
        type: 'High_Context_Request',
        is_published: true,
        group: 'responses',
        models: [
          ...target('m-2'),
          { provider_name: 'vendorA', model: 'm-1', credential_source: 'spare' },
        ],
      },
    ],
  };
  const HIGH = { words: 101, kind: 'responses' as const };

  it.each<[string, Partial<RoutingRequest>, unknown]>([
    ['routes a short request', { words: 10 }, ['custom', 'Low_Context_Request', 'main:m-1']],
    ['routes a medium request', { words: 11 }, ['custom', 'Medium_Context_Request', 'main:m-2']],
    ['routes a long request', HIGH, ['custom', 'High_Context_Request', 'main:m-2', 'spare:m-1']],
    ['ignores a route of another API', { words: 101 }, 'model_not_found'],
    ['leaves a listed model alone', { model: 'm-2', words: 1 }, ['direct', null, 'main:m-2']],
  ])('%s', (_claim, request, plan) => {
    expect(route(ROUTING, { model: 'auto', ...request })).toEqual(plan);
  });

  it('takes precedence over an unrestricted provider', () => {
    const providers = [OPEN, MAIN];
    expect(route(ROUTING, { model: 'auto', words: 1 }, { providers })[0]).toBe('custom');
  });

  it.each<[string, RoutingSettings]>([
    [
      'ignores unpublished routes',
      {
        ...ROUTING,
        custom_routing: (ROUTING.custom_routing ?? []).map((item) => ({
          ...item,
          is_published: false,
        })),
      },
    ],
    ['needs thresholds', { custom_routing: ROUTING.custom_routing ?? [] }],
  ])('%s', (_claim, routing) => {
    expect(route(routing, { model: 'auto' })).toBe('model_not_found');
  });
});

it('lists enabled and allowed models, then groups', () => {
  const providers = [MAIN, SPARE, { ...CLAUDE, enabled: false }];
  const allowedModels = new Map([['main', new Set(['m-1'])]]);
  const names = listModels({ routing_groups: [GROUP] }, { providers, allowedModels });
  expect(names).toEqual(['m-1', 'fast']);
});
