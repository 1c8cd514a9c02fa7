import { expect, test } from 'vitest';
import { hasVisibleText } from './common.ts';

test.each(['', ' ', '\t\n', '\u200b', '\u00ad\u200d', '\u3164', '\u2800', '\ufeff', '\u{e0041}'])(
  'finds no visible character in %j',
  (text) => {
    expect(hasVisibleText(text)).toBe(false);
  },
);

test.each(['a', ' b ', '\u200bc', '日本', 'é', '👩‍💻', '0', '-'])(
  'finds a visible character in %j',
  (text) => {
    expect(hasVisibleText(text)).toBe(true);
  },
);
