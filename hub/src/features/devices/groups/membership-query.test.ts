// Membership queries select devices by conditions.
import type { RuleCondition } from '@gatewarden/shared/wire/console/device-groups.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkedRule, type DeviceFacts, ruleTakes, withoutPerson } from './membership-query.ts';

const device: DeviceFacts = {
  hostname: 'BER-LAPTOP-07',
  subscriber_id: 'kim@design.example.com',
  people_group: ['Design', 'Berlin office'],
  platform: 'linux',
  os_version: 'Debian GNU/Linux 12.4 (bookworm)',
  arch: 'x64',
  agent_version: '0.10.0',
};
const when = (
  field: RuleCondition['field'],
  test: RuleCondition['test'],
  ...values: string[]
): RuleCondition => ({ field, test, values });
const takes = (...conditions: RuleCondition[]) => ruleTakes({ conditions }, device);

describe('condition', () => {
  it.each([
    [when('hostname', 'one_of', 'muc-*', 'ber-*'), true],
    [when('hostname', 'one_of', 'ber'), false],
    [when('hostname', 'none_of', 'muc-*', '*server*'), true],
    [when('hostname', 'none_of', 'muc-*', '*laptop*'), false],
    [when('subscriber_id', 'one_of', '*@DESIGN.example.com'), true],
    [when('people_group', 'one_of', 'sales', 'BERLIN*'), true],
    [when('people_group', 'one_of', 'sales'), false],
    [when('people_group', 'none_of', 'sales'), true],
    [when('people_group', 'none_of', 'design'), false],
    [when('platform', 'one_of', 'darwin', 'linux'), true],
    [when('os_version', 'at_least', '12'), true],
    [when('os_version', 'at_least', '12.5'), false],
    [when('os_version', 'below', '13'), true],
    [when('agent_version', 'below', '0.9'), false],
    [when('agent_version', 'at_least', '0.9'), true],
  ])('evaluates %j as %s', (condition, expected) => {
    expect(takes(condition)).toBe(expected);
  });

  it('matches no device without a version in a condition on versions', () => {
    const silent = { ...device, os_version: 'unknown' };
    for (const test of ['at_least', 'below'] as const) {
      expect(ruleTakes({ conditions: [when('os_version', test, '1')] }, silent)).toBe(false);
    }
  });

  it('matches exactly the devices that the opposite condition does not', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 1 }), { minLength: 1 }), (values) => {
        expect(takes(when('hostname', 'one_of', ...values))).toBe(
          !takes(when('hostname', 'none_of', ...values)),
        );
      }),
    );
  });
});

it('requires every condition to match', () => {
  const [yes, no] = [when('arch', 'one_of', 'x64'), when('arch', 'one_of', 'arm64')];
  expect([takes(yes, yes), takes(yes, no), takes(no, yes)]).toEqual([true, false, false]);
});

it('rejects a meaningless condition with its pointer', () => {
  const refusal = (condition: RuleCondition) => {
    try {
      return checkedRule({ conditions: [when('arch', 'one_of', 'x64'), condition] });
    } catch (error) {
      return (error as Error).message;
    }
  };
  expect(refusal(when('hostname', 'at_least', '1'))).toMatch(/^\/rule\/conditions\/1\/test /);
  expect(refusal(when('os_version', 'below', '12', '13'))).toMatch(
    /^\/rule\/conditions\/1\/values /,
  );
  expect(refusal(when('os_version', 'below', 'twelve'))).toMatch(/^\/rule\/conditions\/1\/values /);
  expect(refusal(when('hostname', 'one_of', ' '))).toMatch(/^\/rule\/conditions\/1\/values /);
  expect(refusal(when('os_version', 'below', '12.4'))).toMatchObject({ conditions: [{}, {}] });
});

describe('erased user', () => {
  const kim = device.subscriber_id;

  it('removes an erased user from every condition in any spelling, and keeps patterns', () => {
    const rule = {
      conditions: [
        when('subscriber_id', 'one_of', 'lee@x', ' KIM@design.example.com', '*@design.example.com'),
        when('subscriber_id', 'none_of', kim),
        when('hostname', 'one_of', kim),
      ],
    };
    expect(withoutPerson(rule, kim)).toEqual({
      rule: {
        conditions: [
          when('subscriber_id', 'one_of', 'lee@x', '*@design.example.com'),
          when('subscriber_id', 'none_of', '‹erased›'),
          when('hostname', 'one_of', kim),
        ],
      },
      spelled: [' KIM@design.example.com', kim],
    });
    expect(withoutPerson(rule, 'somebody')).toBeNull();
  });

  it('keeps conditions on other users', () => {
    const people = fc.constantFrom(kim, 'lee', 'erased', 'ann');
    const condition = fc.record({
      field: fc.constantFrom('subscriber_id' as const, 'hostname' as const),
      test: fc.constantFrom('one_of' as const, 'none_of' as const),
      values: fc.array(people, { minLength: 1, maxLength: 3 }),
    });
    const conditions = fc.array(condition, { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(conditions, people, people, (all, erased, owner) => {
        fc.pre(owner !== erased);
        const rule = { conditions: all };
        const facts = { ...device, subscriber_id: owner };
        const after = withoutPerson(rule, erased)?.rule ?? rule;
        expect(after.conditions).toHaveLength(all.length);
        expect(ruleTakes(after, facts)).toBe(ruleTakes(rule, facts));
      }),
    );
  });
});
