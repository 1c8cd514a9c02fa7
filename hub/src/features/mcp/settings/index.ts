// Settings of the MCP gateway: allowed origins, clients and redirect URIs, for the installation and for a tenant.
// Main types: `McpSettings`, `AllowedClients`.
// Invariant: a change reaches each hub process within a second, by notification.
// Depends on the platform only.
// Start reading at `settingsOf` in settings.ts.
export {
  ALL_SETTINGS,
  ALL_SETTINGS_CACHE,
  isAllowedAddress,
  registerMcpSettings,
  SETTINGS_CACHE,
  settingsOf,
} from './settings.ts';
export { type AllowedClients, type McpSettings, selectAllowedClients } from './store.ts';
