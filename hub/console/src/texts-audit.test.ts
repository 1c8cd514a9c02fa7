// Labels of the audit log: each operation and resource has words, whatever a release records.
import { AUDIT_OPERATIONS } from '@gatewarden/shared/wire/console/audit-operations.ts';
import { expect, test } from 'vitest';
import { operationText, resourceText } from './texts-audit.ts';

const RESOURCES = new Set(AUDIT_OPERATIONS.map((operation) => operation.split('.')[0] ?? ''));

test.each([...RESOURCES])('shows no wire name for the resource %s', (kind) => {
  expect(resourceText(kind)).not.toMatch(/[_.]/);
  expect(operationText(`${kind}.*`)).toBe(`${resourceText(kind)}: any change`);
});

test('labels resources in the words of the console', () => {
  expect(resourceText('alert_route')).toBe('Notification channel');
  expect(resourceText('override')).toBe('Policy');
});

test('puts names of another release in words', () => {
  expect(operationText('moon_base.open')).toBe('Moon base open');
  expect(resourceText('moon_base')).toBe('Moon base');
});
