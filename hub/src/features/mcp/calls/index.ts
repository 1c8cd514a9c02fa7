// Tool calls and other requests of MCP clients, from the HTTP route to the log row.
// Main types: `GatewayDeps`, `CallContext`, `CallTrace`, `SuspendedCall`.
// Invariant: each request passes the same steps in the same order, and each tool call has one log row.
// Depends on all other rooms of the gateway.
// Start reading at pipeline.ts, which names the steps: resolve, authorize, pin, validate, guard, approve, forward, guard, record.

export { type CallLog, createCallLog } from './call-log.ts';
export { createCallMetrics } from './call-metrics.ts';
export { registerGateway } from './routes.ts';
