// Changes of an app are merged, validated and reported.
import { expect, test } from 'vitest';
import {
  type AppDraft,
  type AppReferences,
  attached,
  changesOf,
  detached,
  patchedApp,
} from './rules.ts';

const POLICY = { enabled: false, active_revision: null, active_checksum: null };
const REFERENCES: AppReferences = {
  categories: [],
  definitions: new Set(['d1', 'd2']),
  smartGroups: new Set(),
  providers: new Map(),
};
const EMPTY: AppDraft = {
  mode: 'sdk',
  enabled: true,
  provider_labels: [],
  tags: [],
  config: {},
  urls: {},
  inline_providers: null,
};
const patched = (before: AppDraft, patch: object) => patchedApp(before, patch, REFERENCES, POLICY);
const hook = (url: string) => ({ channels: { webhooks: [{ id: 'w', url }] } });

test('reports an added, changed or removed webhook once', () => {
  const first = patched(EMPTY, { alerting: hook('https://a.example/1') });
  const second = patched(first, { alerting: hook('https://a.example/2') });
  const none = patched(second, { alerting: null });
  expect(changesOf(EMPTY, first)).toEqual(['/alerting']);
  expect(changesOf(first, second)).toEqual(['/alerting/channels/webhooks']);
  expect(changesOf(second, none)).toEqual(['/alerting']);
  expect(changesOf(none, patched(none, { alerting: null }))).toEqual([]);
});

test('enables a selected definition by default', () => {
  const selected = (custom_definitions: object[]) =>
    patched(EMPTY, { detection: { custom_definitions } });
  const explicit = selected([{ definition_id: 'd1', enabled: true }, { definition_id: 'd2' }]);
  expect(explicit.config.detection).toEqual({
    custom_definitions: [
      { definition_id: 'd1', enabled: true },
      { definition_id: 'd2', enabled: true },
    ],
  });
  const unsaid = selected([{ definition_id: 'd1' }, { definition_id: 'd2' }]);
  expect(changesOf(explicit, unsaid)).toEqual([]);
});

test('defaults access control to version 1, and a role without everybody to its members', () => {
  const allowed = { allow_emails: ['a@example.com'] };
  const control = (access_control: object | null) => ({
    self_service: { self_service: { access_control } },
  });
  const unsaid = patched(EMPTY, control({ roles: { show_api_key: allowed } }));
  const explicit = { version: 1, roles: { show_api_key: { allow_all: false, ...allowed } } };
  expect(unsaid.config).toEqual(control(explicit));
  expect(changesOf(unsaid, patched(unsaid, control(explicit)))).toEqual([]);
  const all = patched(unsaid, control({ roles: { show_api_key: { allow_all: true } } }));
  const more = patched(all, control({ roles: { show_api_key: { deny_emails: [] } } }));
  expect(more.config).toMatchObject(control({ roles: { show_api_key: { allow_all: true } } }));
  expect(changesOf(EMPTY, patched(EMPTY, control({})))).toEqual([]);
  const again = patched(patched(all, control(null)), control({ roles: { show_api_key: allowed } }));
  expect(again.config).toEqual(control(explicit));
});

const ROLE = { allow_all: true };
const NAMES = [
  'self_service_viewer',
  'settings_update_requester',
  'settings_update_direct',
  'show_api_key',
  'show_logs_for_all_users',
];
const controlled = (access_control: object) => ({
  self_service: { enable_self_service: true, self_service: { access_control } },
});

test.each(NAMES)('stores %s below roles in either shape', (name) => {
  const nested = controlled({ version: 1, roles: { [name]: ROLE } });
  expect(patched(EMPTY, controlled({ [name]: ROLE })).config).toEqual(nested);
  expect(patched(EMPTY, nested).config).toEqual(nested);
});

test('merges both shapes with each other and with the stored roles', () => {
  const [first = '', second = '', third = ''] = NAMES;
  const both = patched(EMPTY, controlled({ [first]: ROLE, roles: { [second]: ROLE } }));
  const all = patched(both, controlled({ [third]: ROLE }));
  const roles = { [first]: ROLE, [second]: ROLE, [third]: ROLE };
  expect(all.config).toEqual(controlled({ version: 1, roles }));
  expect(() => patched(EMPTY, controlled({ [first]: ROLE, roles: { [first]: ROLE } }))).toThrow(
    `/self_service/self_service/access_control/${first} must not be set under roles`,
  );
});

test('limits a merged map to the size of a single request', () => {
  const levels = (from: number, count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`p${from + i}`, 'low']));
  const detection = (edm_pattern_sensitivities: object) => ({
    detection: { edm_pattern_sensitivities },
  });
  const full = patched(EMPTY, detection(levels(0, 1000)));
  expect(() => patched(full, detection(levels(1000, 1)))).toThrow(
    '/detection/edm_pattern_sensitivities must not have more than 1000',
  );
  const changed = patched(full, detection({ p0: 'high' }));
  expect(changesOf(full, changed)).toEqual(['/detection/edm_pattern_sensitivities/p0']);
  // Stored maps above the bound are no error of a later change.
  const grown = { ...EMPTY, config: detection(levels(0, 2000)) };
  expect(patched(grown, detection({ p1: 'high' })).config).toMatchObject(detection({ p1: 'high' }));
  expect(() => patched(grown, detection(levels(2000, 1)))).toThrow('must not have more than 1000');
});

test('keeps a routed model that its provider no longer offers, and adds no such model', () => {
  const provider = { label: 'p', provider_name: 'vendorA', enabled: true };
  const offering = (...selected_models: string[]): AppReferences => ({
    ...REFERENCES,
    providers: new Map([['p', { ...provider, selected_models }]]),
  });
  const group = (group_name: string, model_name: string) => ({
    group_name,
    models: [{ provider_name: 'vendorA', model_name, weight: 100 }],
  });
  const before: AppDraft = {
    ...EMPTY,
    mode: 'gateway',
    provider_labels: ['p'],
    config: { routing: { routing_groups: [group('g', 'old')] } },
  };
  const change = (routing: object) =>
    patchedApp(before, { routing }, offering('new'), POLICY).config.routing;
  const routing_thresholds = { low_max_words: 1, medium_max_words: 2 };
  expect(change({ routing_thresholds })).toMatchObject({ routing_thresholds });
  const more = [group('g', 'old'), group('h', 'new')];
  expect(change({ routing_groups: more })).toEqual({ routing_groups: more });
  expect(() => change({ routing_groups: [group('g', 'older')] })).toThrow(
    '/routing/routing_groups/0/models/0/model_name is not among the selected models',
  );
});

test('merges partial source address settings, and enables them for a list', () => {
  const ips = ['10.0.0.0/8'];
  const left = (stored: unknown, sent: unknown) =>
    patched(
      { ...EMPTY, config: { access: { allowed_source_ips: stored } } },
      { access: { allowed_source_ips: sent } },
    ).config.access;
  const after = (allowed_source_ips: unknown) => ({ allowed_source_ips });
  expect(left({ enabled: true, ips }, {})).toEqual(after({ enabled: true, ips }));
  expect(left({ enabled: true, ips }, { enabled: false })).toEqual(after({ enabled: false, ips }));
  expect(left({ enabled: false, ips }, { ips: [] })).toEqual(after({ enabled: false, ips: [] }));
  expect(left(ips, {})).toEqual(after(ips));
  expect(left(ips, { enabled: false })).toEqual(after({ enabled: false, ips }));
  expect(left(ips, { ips: ['::1'] })).toEqual(after({ enabled: true, ips: ['::1'] }));
  expect(left({ enabled: true, ips }, ['::1'])).toEqual(after(['::1']));
  expect(left(ips, null)).toEqual(after(null));
  expect(left(null, { enabled: true })).toEqual(after({ enabled: true }));
});

const vendorA = (label: string, ...selected_models: string[]) =>
  [label, { label, provider_name: 'vendorA', enabled: true, selected_models }] as const;
const routedTo = (model_name: string) => ({
  routing_groups: [
    { group_name: 'g', models: [{ provider_name: 'vendorA', model_name, weight: 100 }] },
  ],
});

test('keeps the only provider of a routed model', () => {
  const references = { ...REFERENCES, providers: new Map([vendorA('p', 'm'), vendorA('q', 'n')]) };
  const before: AppDraft = {
    ...EMPTY,
    mode: 'gateway',
    provider_labels: ['p', 'q'],
    config: { routing: routedTo('m') },
  };
  expect(() => detached(before, 'p', references, POLICY)).toThrow('Routing uses this provider');
  expect(() => patchedApp(before, { provider_labels: ['q'] }, references, POLICY)).toThrow(
    'Routing uses this provider',
  );
  expect(detached(before, 'q', references, POLICY).provider_labels).toEqual(['p']);
  // A model that nobody offers is no error of the removal of another provider.
  const gone = { ...before, config: { routing: routedTo('gone') } };
  expect(detached(gone, 'p', references, POLICY).provider_labels).toEqual(['q']);
});

test('limits attached providers to those of a single request, and still promotes', () => {
  const provider_labels = Array.from({ length: 1000 }, (_, i) => `p${i}`);
  const before: AppDraft = { ...EMPTY, mode: 'gateway', provider_labels };
  const [[, more], [, last]] = [vendorA('more'), vendorA('p999')];
  expect(() => attached(before, more, false, REFERENCES, POLICY)).toThrow('at most 1000 providers');
  expect(attached(before, last, true, REFERENCES, POLICY).provider_labels[0]).toBe('p999');
});

test('allows a routing change of a legacy app with its own providers', () => {
  const legacy: AppDraft = {
    ...EMPTY,
    mode: 'gateway',
    inline_providers: [{ provider_name: 'vendorA', provider_settings: {} }],
    config: { routing: routedTo('m') },
  };
  const routing_thresholds = { low_max_words: 1, medium_max_words: 2 };
  expect(patched(legacy, { routing: { routing_thresholds } }).config.routing).toEqual({
    ...routedTo('m'),
    routing_thresholds,
  });
  expect(patched(legacy, { routing: routedTo('n') }).config.routing).toEqual(routedTo('n'));
  const [group] = routedTo('m').routing_groups;
  const elsewhere = { provider_name: 'vendorC', model_name: 'm', weight: 100 };
  expect(() =>
    patched(legacy, { routing: { routing_groups: [{ ...group, models: [elsewhere] }] } }),
  ).toThrow('/routing/routing_groups/0/models/0/provider_name is not the type of a provider');
});
