// Pins of tool definitions: a tool that differs from its approved definition is flagged or hidden until a review.
// Main types: `ToolPins`, `KnownTool`.
// Invariant: a hidden tool appears in no list, and a call of it is rejected.
// Depends on backends and protocol.
// Start reading at `createToolPins` in tool-pins.ts.
export { countPins, type PinCounts } from './store.ts';
export { isTaskOnly } from './tool-definitions.ts';
export { createToolPins, type KnownTool, registerToolPins, type ToolPins } from './tool-pins.ts';
