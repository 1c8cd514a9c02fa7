// Links, commands and configuration files that connect MCP clients with the gateway. No snippet has a secret: clients sign in.

export interface Target {
  /** Letters, digits and hyphens, which all clients accept. */
  name: string;
  url: string;
}

/** Returns a link with JSON in base64, escaped for the URL because base64 contains + and /. */
export function cursorLink({ name, url }: Target): string {
  const config = btoa(JSON.stringify({ url }));
  return `cursor://anysphere.cursor-deeplink/mcp/install?name=${encodeURIComponent(name)}&config=${encodeURIComponent(config)}`;
}

export function vsCodeLink({ name, url }: Target): string {
  return `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name, type: 'http', url }))}`;
}

export const claudeCommand = ({ name, url }: Target): string =>
  `claude mcp add --transport http ${name} ${url}`;

/** Returns the entry of ~/.codex/config.toml. */
export const codexConfig = ({ name, url }: Target): string =>
  `[mcp_servers.${name}]\nurl = "${url}"`;
export const codexLogin = ({ name }: Target): string => `codex mcp login ${name}`;

/** Returns the configuration of clients that read `mcpServers`. */
export const jsonConfig = ({ name, url }: Target): string =>
  JSON.stringify({ mcpServers: { [name]: { type: 'http', url } } }, null, 2);

/** Returns the configuration of clients that only start programs. */
export const bridgeConfig = ({ name, url }: Target): string =>
  JSON.stringify(
    { mcpServers: { [name]: { command: 'npx', args: ['-y', 'mcp-remote', url] } } },
    null,
    2,
  );

/** Returns the name of a server from its URL, such as `files` of https://hub/files/mcp. */
export function parseServerName(url: string): string {
  return new URL(url).pathname.split('/')[1] ?? 'gatewarden';
}
