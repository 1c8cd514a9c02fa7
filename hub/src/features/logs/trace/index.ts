// Trace of LLM requests: explains a request by the app configuration of that time and its author.
// Main types: `LlmTraceDeps`, the wire type `LlmWhy`.
// Invariants: a user only sees their own requests; another user's request is a 404 like a missing request.
// Depends on console and events; MCP traces use steps.ts.
// Start reading at routes.ts.
export { registerLlmTrace } from './routes.ts';
export { sentBy, stepOf } from './steps.ts';
