import { urlsOf } from '../namespaces.ts';
import { checkResources } from '../resource.ts';
import type { CodeExchange } from './request.ts';

/** Requires the MCP URL of the namespace (RFC 8707 §2.2). */
export function checkResource({ form, namespace, origin }: CodeExchange): void {
  checkResources(form.resources, urlsOf(namespace, origin));
}
