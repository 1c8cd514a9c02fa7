// The export: what the composition may use.
export { registerLogExport, type ScopedThing } from './routes.ts';
