// What the gateway says of itself, whatever stands behind it. Pure.
import { type Era, META, SUPPORTED } from './revisions.ts';

const SERVER_INFO = { name: 'gatewarden', title: 'Gatewarden MCP gateway', version: '1' };

/** What the gateway can do for a client, whatever stands behind it. */
function capabilities(era: Era): Record<string, unknown> {
  return {
    tools: { listChanged: true },
    resources: { listChanged: true, subscribe: true },
    prompts: { listChanged: true },
    completions: {},
    ...(era === 'legacy' ? { logging: {} } : {}),
  };
}

export function discovered(instructions: string | null): Record<string, unknown> {
  return {
    supportedVersions: SUPPORTED,
    capabilities: capabilities('modern'),
    serverInfo: SERVER_INFO,
    _meta: { [META.server]: SERVER_INFO },
    ...(instructions === null ? {} : { instructions }),
  };
}

export function initialized(version: string, instructions: string | null): Record<string, unknown> {
  return {
    protocolVersion: version,
    capabilities: capabilities('legacy'),
    serverInfo: SERVER_INFO,
    ...(instructions === null ? {} : { instructions }),
  };
}
