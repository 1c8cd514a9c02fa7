// What a request of a directory says: whose it is, what it names, which page and which version it means.
import { isUuid } from '@gatewarden/shared/wire/common.ts';
import { SCIM, type ScimResource } from '@gatewarden/shared/wire/scim.ts';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { HubError } from '../../../platform/http/errors/errors.ts';
import { clientAddressOf } from '../../../platform/http/server/client-address.ts';
import { parseIfMatch } from '../../../platform/http/server/etag.ts';
import type { ByInTenant } from '../groups/index.ts';
import { projected } from './resources.ts';
import type { ScimGrant } from './token-store.ts';

declare module 'fastify' {
  interface FastifyRequest {
    directory: ScimGrant | null;
  }
}

const PAGE = 100;
const PAGE_MAX = 1_000;
export const One = Type.Object({ id: Type.String({ maxLength: 100 }) });

/** The gate let it in; a route outside of it is a programming error. */
export function grantOf(request: FastifyRequest): ScimGrant {
  if (request.directory === null) throw new HubError('invalid_scim_token');
  return request.directory;
}

/** As the audit trail names who did it. */
export function byOf(request: FastifyRequest): ByInTenant {
  const { tenantId, tokenId } = grantOf(request);
  return {
    tenantId,
    actor: { kind: 'directory', id: tokenId, email: null, address: clientAddressOf(request) },
    requestId: request.id,
  };
}

/** A directory need not say which version it means: null takes any. */
export function versionsOf(request: FastifyRequest): readonly number[] | null {
  const header = request.headers['if-match'];
  if (header === undefined || header.trim() === '*') return null;
  return parseIfMatch(header.replaceAll('W/', ''));
}

/** Throws `not_found` for what is no id. */
export function idOf(request: FastifyRequest): string {
  const { id } = request.params as { id: string };
  if (!isUuid(id)) throw new HubError('not_found');
  return id.toLowerCase();
}

export const config = { caller: 'directory' } as const;
/** What the document says of a route. */
export const about = <More extends object>(summary: string, more: More) => ({
  tags: ['scim'],
  summary,
  ...more,
});

/** A page of a list, as the standard has it. */
export function listed(resources: readonly ScimResource[], startIndex: number, total?: number) {
  return {
    schemas: [SCIM.list],
    totalResults: total ?? resources.length,
    startIndex,
    itemsPerPage: resources.length,
    Resources: [...resources],
  };
}

/** As RFC 7644 has it: from 1, and never more than there may be. */
export function pageOf(query: { startIndex?: string; count?: string }, most = PAGE_MAX) {
  const startIndex = Math.max(1, Number(query.startIndex ?? 1));
  const limit = Math.min(most, Math.max(0, Number(query.count ?? PAGE)));
  return { startIndex, offset: startIndex - 1, limit };
}

interface Headed {
  header(name: string, value: string): unknown;
}

/** With where it stands and its version, which clients may send again. */
export function told(reply: Headed, resource: ScimResource, query = {}): ScimResource {
  const { location, version } = resource.meta as { location: string; version: string };
  reply.header('location', location);
  reply.header('etag', version);
  return projected(resource, query);
}
