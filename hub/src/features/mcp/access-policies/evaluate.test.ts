import fc from 'fast-check';
import { expect, test } from 'vitest';
import { propertyRuns } from '../../../../../test/support/property-runs.ts';
import { decide, type Question, type Rule } from './evaluate.ts';

const backends = ['b1', 'b2'];
const tools = ['read', 'write', 'write_all'];
const emails = ['ann@x', 'bob@x', 'cid@x'];
const groups: Record<string, string[]> = { g1: ['ann@x', 'bob@x'], g2: ['bob@x'] };

const rule = fc
  .record({
    effect: fc.constantFrom('allow' as const, 'deny' as const),
    backend_id: fc.constantFrom(null, ...backends),
    tool: fc.constantFrom(null, ...tools, 'write*', '*'),
    subject: fc.constantFrom('everybody' as const, 'group' as const, 'person' as const),
    group_id: fc.constantFrom(...Object.keys(groups)),
    email: fc.constantFrom(...emails),
    rule_id: fc.uuid(),
  })
  .map((item): Rule => ({ ...item, reason: null }));
const rules = fc.uniqueArray(rule, { maxLength: 8, selector: (item) => item.rule_id });
const asked = fc.record({
  backendId: fc.constantFrom(...backends),
  tool: fc.constantFrom(null, ...tools),
  email: fc.constantFrom(null, ...emails),
});
const question = (item: {
  backendId: string;
  tool: string | null;
  email: string | null;
}): Question => ({
  ...item,
  isIn: (groupId) => item.email !== null && groups[groupId]?.includes(item.email) === true,
});
const all = (property: (list: Rule[], question: Question) => void) =>
  fc.assert(
    fc.property(rules, asked, (list, item) => property(list, question(item))),
    { numRuns: propertyRuns(2_000) },
  );
const a = (more: Partial<Rule>): Rule => ({
  rule_id: '00000000-0000-4000-8000-000000000001',
  effect: 'allow',
  backend_id: null,
  tool: null,
  subject: 'everybody',
  group_id: null,
  email: null,
  reason: null,
  ...more,
});

test('allows everybody without a policy', () => {
  fc.assert(
    fc.property(asked, (item) => {
      expect(decide([], question(item))).toEqual({ allowed: true, why: 'no_rule', rule: null });
    }),
  );
});

test('ignores the order of policies', () => {
  fc.assert(
    fc.property(rules, asked, fc.integer(), (list, item, seed) => {
      const turned = [...list].sort((x, y) => (x.rule_id + seed < y.rule_id + seed ? 1 : -1));
      expect(decide(turned, question(item))).toEqual(decide(list, question(item)));
    }),
    { numRuns: propertyRuns(2_000) },
  );
});

test('lets a deny policy for the tool override any allow policy', () => {
  all((list, item) => {
    const denying = a({ effect: 'deny', rule_id: 'ffffffff-ffff-4fff-bfff-ffffffffffff' });
    expect(decide([...list, denying], item).allowed).toBe(false);
  });
});

test('never allows more after another deny policy', () => {
  fc.assert(
    fc.property(rules, rule, asked, (list, more, item) => {
      const before = decide(list, question(item)).allowed;
      const after = decide([...list, { ...more, effect: 'deny' }], question(item)).allowed;
      expect(before || !after).toBe(true);
    }),
    { numRuns: propertyRuns(2_000) },
  );
});

test('allows a user named for the tool unless a policy denies', () => {
  all((list, item) => {
    const { tool, email, backendId } = item;
    if (tool === null || email === null) return;
    const named = a({
      rule_id: 'f'.repeat(36),
      backend_id: backendId,
      tool,
      subject: 'person',
      email,
    });
    const decision = decide([...list, named], item);
    expect(decision.allowed || decision.why === 'denied').toBe(true);
  });
});

test('ignores policies of another server', () => {
  all((list, item) => {
    const others = list.map((each) => ({ ...each, backend_id: 'b3' }));
    expect(decide(others, item).why).toBe('no_rule');
  });
});

test('applies only policies for everybody to an unidentified caller', () => {
  all((list, item) => {
    if (!decide(list, { ...item, email: null, isIn: () => false }).allowed) return;
    for (const email of emails) {
      expect(decide(list, question({ ...item, email })).allowed).toBe(true);
    }
  });
});

test('selects the audience of a tool by the narrower target', () => {
  const engineers = a({ rule_id: '1', backend_id: 'b1', subject: 'group', group_id: 'g1' });
  const bobWrites = a({
    rule_id: '2',
    backend_id: 'b1',
    tool: 'write*',
    subject: 'person',
    email: 'bob@x',
  });
  const list = [engineers, bobWrites];
  const ask = (tool: string, email: string) =>
    decide(list, question({ backendId: 'b1', tool, email }));
  expect(ask('read', 'ann@x')).toMatchObject({ allowed: true, rule: engineers });
  expect(ask('write', 'ann@x')).toMatchObject({
    allowed: false,
    why: 'not_named',
    rule: bobWrites,
  });
  expect(ask('write', 'bob@x')).toMatchObject({ allowed: true, rule: bobWrites });
  expect(ask('read', 'cid@x')).toMatchObject({ allowed: false, why: 'not_named', rule: engineers });
});
