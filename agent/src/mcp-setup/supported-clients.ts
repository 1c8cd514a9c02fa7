// MCP clients that the agent can connect to the gateway: a new client is a new row. Discovery has its own list in
// discovery/mcp/clients.ts. Only clients that speak
// HTTP and sign in by themselves are listed, so that no secret is written into a file.
import type { Platform } from '@gatewarden/shared/wire/vocabulary.ts';
import { placesOf } from '../discovery/clients/path-tokens.ts';
import type { EntryValue } from '../enforcement/quarantine/edit/entry.ts';
import type { SoughtFile } from '../enforcement/quarantine/edit-protocol.ts';

export interface ClientLayout extends Pick<SoughtFile, 'container' | 'sign'> {
  client: string;
  /** Path below a home with tokens of path-tokens.ts; the first path of a platform is used. */
  path: string;
  value(url: string): EntryValue;
}

const typed = (url: string) => ({ type: 'http', url });
const plain = (url: string) => ({ url });

export const CLIENT_LAYOUTS: readonly ClientLayout[] = [
  {
    ...{ client: 'claude-code', path: '.claude.json', sign: 'file' },
    ...{ container: ['mcpServers'], value: typed },
  },
  {
    ...{ client: 'codex', path: '.codex/config.toml', sign: 'folder' },
    ...{ container: ['mcp_servers'], value: plain },
  },
  {
    ...{ client: 'cursor', path: '.cursor/mcp.json', sign: 'folder' },
    ...{ container: ['mcpServers'], value: plain },
  },
  {
    ...{ client: 'gemini-cli', path: '.gemini/settings.json', sign: 'folder' },
    ...{ container: ['mcpServers'], value: (httpUrl) => ({ httpUrl }) },
  },
  {
    ...{ client: 'opencode', path: '{XC}/opencode/opencode.json', sign: 'folder' },
    ...{ container: ['mcp'], value: (url) => ({ type: 'remote', url, enabled: true }) },
  },
  {
    ...{ client: 'vscode', path: '{ED}/User/mcp.json', sign: 'folder' },
    ...{ container: ['servers'], value: typed },
  },
  {
    ...{ client: 'windsurf', path: '.codeium/windsurf/mcp_config.json', sign: 'folder' },
    ...{ container: ['mcpServers'], value: (serverUrl) => ({ serverUrl }) },
  },
];

/** The configuration of a client in a home; null where this platform has none. */
export function fileOf(layout: ClientLayout, home: string, platform: Platform): string | null {
  const place = placesOf(platform, layout.path)[0];
  return place === undefined ? null : `${home}/${place}`;
}
