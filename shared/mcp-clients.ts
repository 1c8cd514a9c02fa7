// Hosted MCP clients that an administrator enables by name, with their OAuth redirect targets.

export interface McpClient {
  label: string;
  /** Host and path; a path that ends with `*` means any below it. */
  https: readonly string[];
  /** Application schemes, without the colon. */
  schemes: readonly string[];
}

/** Clients by their name in the setting `redirect_uris.clients`. */
export const MCP_CLIENTS = {
  antigravity: {
    label: 'Google Antigravity',
    https: ['antigravity.google/oauth-callback'],
    schemes: ['antigravity'],
  },
  devin: { label: 'Devin', https: ['api.devin.ai/mcp/oauth/callback'], schemes: [] },
  gemini_enterprise: {
    label: 'Gemini Enterprise',
    https: [
      'vertexaisearch.cloud.google.com/oauth-redirect',
      'vertexaisearch.cloud.google.com/static/oauth/oauth.html',
    ],
    schemes: [],
  },
  grok: {
    label: 'Grok',
    https: [
      'grok.com/connectors-oauth-exchange-code/',
      'console.x.ai/connectors-oauth-exchange-code/',
    ],
    schemes: [],
  },
  microsoft_365_copilot: {
    label: 'Microsoft 365 Copilot',
    https: ['teams.microsoft.com/api/platform/v1.0/oAuthRedirect'],
    schemes: [],
  },
  notion: {
    label: 'Notion',
    https: ['app.notion.com/workflows/mcp/oauth/callback'],
    schemes: [],
  },
  perplexity: {
    label: 'Perplexity',
    https: [
      'www.perplexity.ai/rest/connections/oauth_callback',
      'www.perplexity.com/rest/connections/oauth_callback',
      'enterprise.perplexity.ai/rest/connections/oauth_callback',
      'enterprise.perplexity.com/rest/connections/oauth_callback',
    ],
    schemes: [],
  },
  postman: { label: 'Postman', https: ['oauth.pstmn.io/v1/callback'], schemes: [] },
} as const satisfies Record<string, McpClient>;

export type McpClientName = keyof typeof MCP_CLIENTS;
export const MCP_CLIENT_NAMES = Object.keys(MCP_CLIENTS) as McpClientName[];
