// Why a call went as it did: what the composition and the MCP wing may use.
export { registerLlmWhy } from './routes.ts';
export { sentBy, stepOf } from './steps.ts';
