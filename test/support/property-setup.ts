// Vitest's setup file of what has properties: their size and seed, unless a property names its own.
import fc from 'fast-check';
import { propertyRuns } from './property-runs.ts';

fc.configureGlobal({
  seed: Number(process.env.GATEWARDEN_PROPERTY_SEED),
  numRuns: propertyRuns(100),
});
