import { compileCatalog } from '@gatewarden/shared/guardrails/compile.ts';
import { describe, expect, it } from 'vitest';
import { findUnsupported } from './unsupported.ts';

const CATALOG = compileCatalog(
  [
    { edm_id: 'codes', name: 'Codes', patterns: [{ pattern: 'X-[0-9]{4}' }] },
    { edm_id: 'empty', name: 'Empty' },
    { edm_id: 'broken', name: 'Broken', patterns: [{ pattern: '(' }] },
  ],
  [],
);
type Config = Parameters<typeof findUnsupported>[0];
const pathsOf = (config: object, hasGuardian = false) =>
  findUnsupported(config as Config, { hasGuardian, catalog: CATALOG }).map(({ path }) => path);
const detection = (settings: object) => ({ detection: settings });
const selected = (definition_id: string, enabled = true) =>
  detection({ custom_definitions: [{ definition_id, enabled }] });

describe('settings that need a model', () => {
  it.each<[string, object, string[]]>([
    ['lists nothing for an empty configuration', {}, []],
    [
      'lists nothing for data categories',
      detection({ enabled_categories: { pci: true, secrets: true } }),
      [],
    ],
    [
      'lists categories with content that needs a model',
      detection({ enabled_categories: { toxicity: true, pii: true, phi: true } }),
      ['toxicity', 'pii', 'phi'].map((id) => `/detection/enabled_categories/${id}`),
    ],
    [
      'leaves out a category with all of its model subcategories off',
      detection({ enabled_categories: { pii: true, person_name: false } }),
      [],
    ],
    [
      'lists a subcategory',
      detection({ enabled_categories: { hate: true } }),
      ['/detection/enabled_categories/hate'],
    ],
    [
      'lists an imported category',
      detection({ enabled_categories: { 'a/b': true } }),
      ['/detection/enabled_categories/a~1b'],
    ],
    ['lists no disabled category', detection({ enabled_categories: { toxicity: false } }), []],
    [
      'lists the guardian agent',
      detection({ guardian_agent: { enabled: true } }),
      ['/detection/guardian_agent'],
    ],
    ['lists no disabled guardian agent', detection({ guardian_agent: { enabled: false } }), []],
    [
      'lists task adherence without the switch of the agent',
      detection({ guardian_agent: { task_adherence: { enabled: true } } }),
      ['/detection/guardian_agent'],
    ],
    ['lists agent_purpose', detection({ agent_purpose: 'Help.' }), ['/detection/agent_purpose']],
    [
      'lists its prompt',
      detection({ guardian_agent_prompt: 'Check.' }),
      ['/detection/guardian_agent_prompt'],
    ],
    [
      'lists the hallucination check',
      detection({ is_hallucination_check_enabled: true, hallucination_check_action: 'block' }),
      ['/detection/is_hallucination_check_enabled'],
    ],
    ['lists scan_images', detection({ scan_images: true }), ['/detection/scan_images']],
    [
      'lists scan_encoded_images',
      detection({ scan_encoded_images: true }),
      ['/detection/scan_encoded_images'],
    ],
    [
      'lists categories of a smart group',
      { smart_group_policies: [{ group_name: 'hr', enabled_categories: { sexual: true } }] },
      ['/smart_group_policies/0/enabled_categories/sexual'],
    ],
    [
      'lists no disabled smart group',
      {
        smart_group_policies: [
          { group_name: 'hr', enabled: false, enabled_categories: { hate: true } },
        ],
      },
      [],
    ],
  ])('%s, and nothing with a guardian', (_claim, config, paths) => {
    expect(pathsOf(config)).toEqual(paths);
    expect(pathsOf(config, true)).toEqual([]);
  });
});

describe('settings beyond every node', () => {
  it.each<[string, object, string[]]>([
    [
      'lists coding helpers',
      detection({ guardian_agent: { enabled: true, coding_helpers: { enabled: true } } }),
      ['/detection/guardian_agent/coding_helpers'],
    ],
    [
      'lists a definition without a pattern',
      selected('empty'),
      ['/detection/custom_definitions/0'],
    ],
    [
      'lists a definition with an invalid pattern',
      selected('broken'),
      ['/detection/custom_definitions/0'],
    ],
    ['lists an unknown definition', selected('gone'), ['/detection/custom_definitions/0']],
    ['lists no definition with a pattern', selected('codes'), []],
    ['lists no disabled definition', selected('empty', false), []],
    [
      'lists a sensitivity of no definition',
      detection({ edm_pattern_sensitivities: { x: 'low', Codes: 'low', codes: 'high' } }),
      ['/detection/edm_pattern_sensitivities/x'],
    ],
    [
      'lists unknown sensitivities',
      detection({
        category_sensitivities: { pii: ['high'], pci: ['extreme'] },
        sub_category_sensitivities: { pii: { iban: 'Low', email_address: 'x' } },
      }),
      [
        '/detection/category_sensitivities/pci',
        '/detection/sub_category_sensitivities/pii/email_address',
      ],
    ],
  ])('%s', (_claim, config, paths) => {
    expect(pathsOf(config, true)).toEqual(paths);
  });
});
