// Values that no program expects, for fuzz tests.

/** Values that break programs which did not expect them. */
export const HOSTILE: readonly unknown[] = [
  ...[null, '', ' ', '\0', 'a\0b', '\ud800', -1, 0, 1e308, 2 ** 53, 2 ** 31, 1.5, true, [], {}],
  ...[[[[]]], { constructor: { prototype: {} } }, 'x'.repeat(10_000), '../../etc/passwd', '..'],
  ...["'; DROP TABLE devices; --", '2026-13-45T99:99:99.999Z', '0000-00-00T00:00:00.000Z'],
  ...[
    '+275760-09-13T00:00:00.001Z',
    'ffffffff-ffff-ffff-ffff-ffffffffffff',
    '💥\u202e',
    '%',
    '%00',
  ],
  ...['*', '"1"', 'NaN', '1e9', '٣', 'ﬀ', 'İI', '\u0345'.repeat(200), '{{7*7}}', '[', '(a+)+$'],
];
export const HOSTILE_TEXTS = HOSTILE.filter((item): item is string => typeof item === 'string');
