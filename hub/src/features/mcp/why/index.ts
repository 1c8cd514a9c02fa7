// Why a tool call went as it did: what the composition may use.
export { registerToolCallWhy } from './routes.ts';
