import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isExempt } from './no-proxy.ts';

const HUB = 'https://hub.corp.example';

it.each([
  [HUB, 'hub.corp.example', true],
  [HUB, 'HUB.Corp.Example.', true],
  [HUB, 'corp.example', true],
  [HUB, '.corp.example', true],
  [HUB, '*.corp.example', true],
  [HUB, 'other, corp.example', true],
  [HUB, 'other corp.example', true],
  [HUB, ' , ,corp.example,', true],
  [HUB, '*', true],
  [HUB, 'example', true],
  [HUB, 'hub.corp.example:443', true],
  [HUB, 'hub.corp.example:8443', false],
  [`${HUB}:8443`, 'corp.example:8443', true],
  [HUB, 'orp.example', false],
  [HUB, 'hub.corp.example.org', false],
  [HUB, 'a.hub.corp.example', false],
  [HUB, '', false],
  [HUB, '.', false],
  [HUB, '*.', false],
  [HUB, '10.0.0.0/8', false],
  ['http://10.1.2.3', '10.1.2.3', true],
  ['http://10.1.2.3', '10.1.2.3:80', true],
  ['http://10.1.2.3', '10.1.2.3:443', false],
  ['http://10.1.2.3', '10.0.0.0/8', true],
  ['http://10.1.2.3', '10.1.2.3/32', true],
  ['http://10.1.2.3', '192.168.0.0/16,10.2.0.0/16', false],
  ['http://10.1.2.3', '2.3', false],
  ['http://10.1.2.3', '10.0.0.0/33', false],
  ['http://10.1.2.3', '10.0.0.0/', false],
  ['http://10.1.2.3', 'x/8', false],
  ['http://[fd00::1]:8443', 'fd00:0:0::1', true],
  ['http://[fd00::1]:8443', '[fd00::1]:8443', true],
  ['http://[fd00::1]:8443', '[fd00::1]:443', false],
  ['http://[fd00::1]:8443', 'fd00::/8', true],
  ['http://[fd00::1]:8443', '10.0.0.0/8', false],
])('evaluates %s with "%s" as exempt from the proxy: %s', (hub, list, exempt) => {
  expect(isExempt(new URL(hub), list)).toBe(exempt);
});

it('parses any text, and each entry independently', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (first, other) => {
      const hub = new URL(HUB);
      expect(isExempt(hub, `${first},${other}`)).toBe(isExempt(hub, first) || isExempt(hub, other));
      expect(isExempt(new URL('http://[fd00::1]'), first)).toBeTypeOf('boolean');
      expect(isExempt(new URL('http://10.1.2.3'), first)).toBeTypeOf('boolean');
    }),
  );
});
