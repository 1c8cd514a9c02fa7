// The export: what the composition may use.
export { type ExportDeps, registerLogExport, type ScopedThing } from './routes.ts';
