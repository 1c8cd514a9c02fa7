// All built-in detectors. Their categories and subcategories are those of the hub's catalog.
// Main types: `Detector` (../types.ts), `CustomDefinition` (custom.ts). Invariant: detectors are data and pure
// functions, linear on hostile text. Start reading at patterns.ts.
import type { Detector } from '../types.ts';
import { ATTACK_DETECTORS } from './attacks.ts';
import { FINANCIAL_DETECTORS } from './financial.ts';
import { PERSONAL_DETECTORS } from './personal.ts';
import { SECRET_DETECTORS } from './secrets.ts';

export { type CustomDefinition, compileDefinition } from './custom.ts';

export const DETECTORS: readonly Detector[] = [
  ...PERSONAL_DETECTORS,
  ...FINANCIAL_DETECTORS,
  ...SECRET_DETECTORS,
  ...ATTACK_DETECTORS,
];
