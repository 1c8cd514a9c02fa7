// Cells of the access matrix, and the plans of their changes.
import { describe, expect, it } from 'vitest';
import type { Rule } from './evaluate.ts';
import { evaluateCell, type MatrixServer, planCell } from './matrix.ts';

const SERVER: MatrixServer = { backendId: 's', tools: ['read', 'write'], isAnonymous: false };
const GROUPS = ['ops', 'sales'];

let ids = 0;
const rule = (effect: Rule['effect'], over: Partial<Rule> = {}): Rule => ({
  rule_id: `r${++ids}`,
  ...{ effect, backend_id: 's', tool: null, subject: 'group', group_id: 'ops' },
  ...{ email: null, reason: null },
  ...over,
});
const column = (rules: readonly Rule[], server = SERVER) =>
  ['ops', 'sales', null].map((group) => evaluateCell(rules, server, group).access);
const plan = (rules: readonly Rule[], goal: 'all' | 'none' | 'only', groupId = 'ops') =>
  planCell(rules, SERVER, { groupId, goal, groupIds: GROUPS });

describe('a cell', () => {
  it.each([
    [[], ['all', 'all', 'all']],
    [[rule('deny')], ['none', 'all', 'all']],
    [[rule('allow')], ['all', 'none', 'none']],
    [
      [rule('allow'), rule('deny')],
      ['none', 'none', 'none'],
    ],
    [[rule('deny', { tool: 'write' })], ['some', 'all', 'all']],
    [[rule('allow', { tool: 'write' })], ['all', 'some', 'some']],
    [[rule('deny', { backend_id: null })], ['none', 'all', 'all']],
    [[rule('deny', { backend_id: 'other' })], ['all', 'all', 'all']],
    [[rule('deny', { subject: 'everybody', group_id: null })], ['none', 'none', 'none']],
    [
      [rule('allow', { subject: 'person', group_id: null, email: 'a@b' })],
      ['none', 'none', 'none'],
    ],
  ] as const)('has the effective access of %j', (rules, expected) => {
    expect(column(rules)).toEqual(expected);
  });

  it('counts allowed tools, and marks access that no policy decides', () => {
    expect(evaluateCell([rule('deny', { tool: 'w*' })], SERVER, 'ops')).toEqual({
      ...{ groupId: 'ops', access: 'some', allowedTools: 1, isDefault: true },
    });
    expect(evaluateCell([rule('allow')], SERVER, 'ops').isDefault).toBe(false);
  });

  it('takes the tools of policies before any review of the server', () => {
    const unknown = { ...SERVER, tools: [] };
    expect(column([rule('deny', { tool: 'write' })], unknown)).toEqual(['some', 'all', 'all']);
  });

  it('allows no group at a server without identified users where a policy names a group', () => {
    expect(column([rule('allow')], { ...SERVER, isAnonymous: true })).toEqual([
      ...['none', 'none', 'none'],
    ]);
  });
});

describe('a change of a cell', () => {
  it('denies a group at an open server, and changes no other cell', () => {
    const planned = plan([], 'none');
    expect(planned?.create).toEqual([{ effect: 'deny', backend_id: 's', group_id: 'ops' }]);
    expect(planned?.changes).toEqual([{ groupId: 'ops', from: 'all', to: 'none' }]);
  });

  it('removes a denial to allow a group', () => {
    const denial = rule('deny');
    expect(plan([denial], 'all')).toEqual({
      create: [],
      remove: [denial],
      changes: [{ groupId: 'ops', from: 'none', to: 'all' }],
    });
  });

  it('allows a group at a server that other groups are allowed at', () => {
    expect(plan([rule('allow')], 'all', 'sales')).toEqual({
      create: [{ effect: 'allow', backend_id: 's', group_id: 'sales' }],
      remove: [],
      changes: [{ groupId: 'sales', from: 'none', to: 'all' }],
    });
  });

  it('removes a permission only if the server does not become open to everyone', () => {
    const [ops, sales] = [rule('allow'), rule('allow', { group_id: 'sales' })];
    expect(plan([ops, sales], 'none')?.remove).toEqual([ops]);
    expect(plan([ops], 'none')).toMatchObject({ create: [{ effect: 'deny' }], remove: [] });
  });

  it('names everyone who loses access to a server that becomes reserved', () => {
    expect(plan([], 'only')).toEqual({
      create: [{ effect: 'allow', backend_id: 's', group_id: 'ops' }],
      remove: [],
      changes: [
        { groupId: null, from: 'all', to: 'none' },
        { groupId: 'sales', from: 'all', to: 'none' },
      ],
    });
  });

  it('changes nothing where the goal is reached', () => {
    expect(plan([], 'all')).toEqual({ create: [], remove: [], changes: [] });
  });

  it.each([
    ['all', [rule('deny', { tool: 'write' })]],
    ['all', [rule('deny', { backend_id: null })]],
    ['all', [rule('deny', { subject: 'everybody', group_id: null })]],
  ] as const)('leaves %s to the list of rules for %j', (goal, rules) => {
    expect(plan(rules, goal)).toBeNull();
  });
});
