// The export: what the composition may use.
export {
  type ExportDeps,
  registerLogExport,
  registerMetricsPage,
  type ScopedThing,
} from './routes.ts';
