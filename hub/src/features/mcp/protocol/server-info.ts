// Results of `server/discover` and `initialize`, in which the gateway describes itself. Pure.
import type {
  DiscoverResult,
  Implementation,
  InitializeResult,
  ServerCapabilities,
} from '@modelcontextprotocol/client';
import { META, type ProtocolRevision, SUPPORTED } from './revisions.ts';

const SERVER_INFO: Implementation = {
  name: 'gatewarden',
  title: 'Gatewarden MCP gateway',
  version: '1',
};

/** Returns the capabilities of the gateway, which do not depend on its backends. */
function gatewayCapabilities(era: ProtocolRevision): ServerCapabilities {
  return {
    tools: { listChanged: true },
    resources: { listChanged: true, subscribe: true },
    prompts: { listChanged: true },
    completions: {},
    ...(era === 'legacy' ? { logging: {} } : {}),
  };
}

/** Returns the result of `server/discover` (2026-07-28). */
export function discoverResult(instructions: string | null): Record<string, unknown> {
  return {
    supportedVersions: [...SUPPORTED],
    capabilities: gatewayCapabilities('modern'),
    serverInfo: SERVER_INFO,
    _meta: { [META.server]: SERVER_INFO },
    ...(instructions === null ? {} : { instructions }),
  } satisfies DiscoverResult;
}

/** Returns the result of `initialize` (2025-11-25 and before). */
export function initializeResult(
  version: string,
  instructions: string | null,
): Record<string, unknown> {
  return {
    protocolVersion: version,
    capabilities: gatewayCapabilities('legacy'),
    serverInfo: SERVER_INFO,
    ...(instructions === null ? {} : { instructions }),
  } satisfies InitializeResult;
}
