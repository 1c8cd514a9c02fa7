// Preview: which devices, apps and running processes a change of overrides would affect, before it is stored.
// Main types: the wire type `Preview`; see preview.ts.
// Invariants: preview and agent reach the same verdict (preview-accuracy.integration.test.ts); a preview writes nothing.
// Depends on overrides, sync, inventory, processes, activity and groups.
// Start reading at preview.ts; verdicts are in evaluate.ts.
export { previewOverrides } from './preview.ts';
