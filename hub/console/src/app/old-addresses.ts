// Addresses of former versions of the console, below `/t/$tenantId`. Links in mails, chats and bookmarks use them; the router
// redirects each with its parameters and its query.
export interface OldAddress {
  from: string;
  to: string;
  /** Only with these values in the query, which are dropped then. */
  when?: Readonly<Record<string, string>>;
}

/** The first entry that matches decides. */
export const OLD_ADDRESSES: readonly OldAddress[] = [
  { from: '/overview', to: '/home' },
  { from: '/applications', when: { kind: 'ai_tool' }, to: '/inventory/ai-tools' },
  { from: '/applications', when: { kind: 'mcp_server' }, to: '/inventory/mcp-servers' },
  { from: '/applications', when: { kind: 'application' }, to: '/inventory/apps' },
  { from: '/applications', when: { kind: 'package' }, to: '/inventory/packages' },
  { from: '/applications', to: '/inventory/all' },
  { from: '/applications/$entityId', to: '/inventory/items/$entityId' },
  { from: '/device-groups', to: '/devices/groups' },
  { from: '/device-groups/$groupId', to: '/devices/groups/$groupId' },
  { from: '/agent-releases', to: '/devices/agent-versions' },
  { from: '/enrolment', to: '/devices/add' },
  { from: '/unknown-processes', to: '/inventory/unidentified-processes' },
  { from: '/decisions', to: '/policies' },
  { from: '/default-policies', to: '/policies/defaults' },
  { from: '/access-requests', to: '/policies/access-requests' },
  { from: '/alerts', to: '/activity/alerts' },
  { from: '/alert-routes', to: '/settings/notifications' },
  { from: '/alert-routes/$channelId', to: '/settings/notifications/$channelId' },
  { from: '/activity', to: '/activity/enforcement' },
  { from: '/gateway/requests', to: '/activity/llm-requests' },
  { from: '/gateway/tool-calls', to: '/activity/tool-calls' },
  { from: '/gateway/metrics', to: '/gateway/usage/metrics' },
  { from: '/gateway/export-keys', to: '/settings/log-export' },
  { from: '/gateway/catalogs', to: '/gateway/guardrails/definitions' },
  { from: '/gateway/audit', to: '/activity/audit-log/gateway' },
  { from: '/mcp-servers', to: '/gateway/mcp-servers' },
  { from: '/mcp-servers/$backendId', to: '/gateway/mcp-servers/$backendId' },
  { from: '/mcp-rules', to: '/gateway/mcp-access' },
  { from: '/mcp-call-rules', to: '/gateway/guardrails' },
  { from: '/mcp-tokens', to: '/gateway/mcp-access/sessions' },
  { from: '/mcp-settings', to: '/gateway/mcp-access/clients' },
  { from: '/people-groups', to: '/settings/users/groups' },
  { from: '/people', to: '/settings/users' },
  { from: '/keys', to: '/settings/keys' },
  { from: '/settings', to: '/settings/sign-in' },
  { from: '/audit', to: '/activity/audit-log' },
  { from: '/hub-health', to: '/settings/system-status' },
  { from: '/reference', to: '/settings/api-reference' },
  { from: '/reference/$operationId', to: '/settings/api-reference/$operationId' },
  { from: '/reference/errors', to: '/settings/api-reference/errors' },
  { from: '/reference/errors/$code', to: '/settings/api-reference/errors/$code' },
  { from: '/connect', to: '/my/connect' },
  { from: '/connections', to: '/my/connect/connections' },
  { from: '/approvals', when: { of: 'all' }, to: '/gateway/tool-approvals' },
  { from: '/approvals', to: '/my/requests/approvals' },
  { from: '/my-devices', to: '/my/devices' },
  { from: '/my-devices/$deviceId', to: '/my/devices/$deviceId' },
  { from: '/my-calls', to: '/my/activity' },
  { from: '/my-requests', to: '/my/activity/llm-requests' },
  { from: '/my-sessions', to: '/my/sessions' },
];

type Query = Readonly<Record<string, unknown>>;

/** Returns the new address of an old path and its query; undefined for a path that never changed. */
export function newAddress(from: string, query: Query): { to: string; search: Query } | undefined {
  const address = OLD_ADDRESSES.find(
    (old) =>
      old.from === from &&
      Object.entries(old.when ?? {}).every(([name, value]) => query[name] === value),
  );
  if (address === undefined) return undefined;
  const dropped = Object.keys(address.when ?? {});
  const remaining = Object.entries(query).filter(([name]) => !dropped.includes(name));
  return { to: address.to, search: Object.fromEntries(remaining) };
}
