// What a person gives to their MCP client so that it finds the gateway. No secret is in any of it: clients sign in.

export interface Target {
  /** Letters, digits and hyphens, as clients take it. */
  name: string;
  url: string;
}

/** Cursor takes base64 of JSON, which must then be escaped for the URL: base64 itself holds + and /. */
export function cursorLink({ name, url }: Target): string {
  const config = btoa(JSON.stringify({ url }));
  return `cursor://anysphere.cursor-deeplink/mcp/install?name=${encodeURIComponent(name)}&config=${encodeURIComponent(config)}`;
}

export function vsCodeLink({ name, url }: Target): string {
  return `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name, type: 'http', url }))}`;
}

export const claudeCommand = ({ name, url }: Target): string =>
  `claude mcp add --transport http ${name} ${url}`;

/** For ~/.codex/config.toml, and the command that signs in. */
export const codexConfig = ({ name, url }: Target): string =>
  `[mcp_servers.${name}]\nurl = "${url}"`;
export const codexLogin = ({ name }: Target): string => `codex mcp login ${name}`;

/** For clients that read `mcpServers`. */
export const jsonConfig = ({ name, url }: Target): string =>
  JSON.stringify({ mcpServers: { [name]: { type: 'http', url } } }, null, 2);

/** For clients that only start programs. */
export const bridgeConfig = ({ name, url }: Target): string =>
  JSON.stringify(
    { mcpServers: { [name]: { command: 'npx', args: ['-y', 'mcp-remote', url] } } },
    null,
    2,
  );

/** The name of a server in its URL, such as `files` of https://hub/files/mcp. */
export function nameIn(url: string): string {
  return new URL(url).pathname.split('/')[1] ?? 'gatewarden';
}
