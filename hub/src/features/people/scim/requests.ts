// Reads a SCIM request: its token's tenant, the resource id, the page and the version.
import { isUuid } from '@gatewarden/shared/wire/common.ts';
import { SCIM, type ScimResource } from '@gatewarden/shared/wire/scim.ts';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { HubError } from '../../../platform/http/errors/errors.ts';
import { clientAddressOf } from '../../../platform/http/server/client-address.ts';
import { parseIfMatch } from '../../../platform/http/server/etag.ts';
import type { ByInTenant } from '../groups/index.ts';
import { projectAttributes } from './resources.ts';
import type { ScimGrant } from './token-store.ts';

declare module 'fastify' {
  interface FastifyRequest {
    directory: ScimGrant | null;
  }
}

const PAGE = 100;
const PAGE_MAX = 1_000;
export const IdParams = Type.Object({ id: Type.String({ maxLength: 100 }) });

/** Returns the grant of the request's token; a route outside of the SCIM scope is a programming error. */
export function grantOf(request: FastifyRequest): ScimGrant {
  if (request.directory === null) throw new HubError('invalid_scim_token');
  return request.directory;
}

/** Returns the actor of the audit trail. */
export function byOf(request: FastifyRequest): ByInTenant {
  const { tenantId, tokenId } = grantOf(request);
  return {
    tenantId,
    actor: { kind: 'directory', id: tokenId, email: null, address: clientAddressOf(request) },
    requestId: request.id,
  };
}

/** Returns the versions of If-Match; null if any version is accepted, since a directory need not send one. */
export function versionsOf(request: FastifyRequest): readonly number[] | null {
  const header = request.headers['if-match'];
  if (header === undefined || header.trim() === '*') return null;
  return parseIfMatch(header.replaceAll('W/', ''));
}

/** Returns the id of the path, in lower case. Throws `not_found` for text that is no id. */
export function idOf(request: FastifyRequest): string {
  const { id } = request.params as { id: string };
  if (!isUuid(id)) throw new HubError('not_found');
  return id.toLowerCase();
}

export const config = { caller: 'directory' } as const;
/** Returns the description of a route in the OpenAPI document. */
export const describeRoute = <More extends object>(summary: string, more: More) => ({
  tags: ['scim'],
  summary,
  ...more,
});

/** Returns a ListResponse (RFC 7644, 3.4.2). */
export function toListResponse(
  resources: readonly ScimResource[],
  startIndex: number,
  total?: number,
) {
  return {
    schemas: [SCIM.list],
    totalResults: total ?? resources.length,
    startIndex,
    itemsPerPage: resources.length,
    Resources: [...resources],
  };
}

/** Returns the page of the query (RFC 7644, 3.4.2.4): `startIndex` counts from 1, `count` is at most `most`. */
export function pageOf(query: { startIndex?: string; count?: string }, most = PAGE_MAX) {
  const startIndex = Math.max(1, Number(query.startIndex ?? 1));
  const limit = Math.min(most, Math.max(0, Number(query.count ?? PAGE)));
  return { startIndex, offset: startIndex - 1, limit };
}

interface HeaderTarget {
  header(name: string, value: string): unknown;
}

/** Sets location and version, and returns the resource with the requested attributes. */
export function sendResource(
  reply: HeaderTarget,
  resource: ScimResource,
  query = {},
): ScimResource {
  const { location, version } = resource.meta as { location: string; version: string };
  reply.header('location', location);
  reply.header('etag', version);
  return projectAttributes(resource, query);
}
