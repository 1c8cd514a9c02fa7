// MCP servers on devices and behind the gateway together: discovered servers by product, and the status of published servers.
// Main types: `DiscoveredProduct`, `Publication`.
// Invariants: a user counts once per server; a published server and its local equivalents are matched by product.
// Depends on devices (product identity), mcp (backends, health, pins) and the log of tool calls.
// Start reading at routes.ts, then publication.ts.
export { registerMcpServerPages } from './routes.ts';
