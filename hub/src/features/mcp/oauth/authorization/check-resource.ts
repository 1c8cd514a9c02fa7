import { checkResources } from '../resource.ts';
import type { AuthorizationRequest } from './request.ts';

/** Requires the MCP URL of the namespace (RFC 8707 §2). */
export function checkResource({ resources, urls, asked }: AuthorizationRequest): void {
  checkResources(resources, urls);
  asked.resource = resources[0] ?? null;
}
