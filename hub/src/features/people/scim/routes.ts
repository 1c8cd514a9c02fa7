// Routes of SCIM 2.0 (RFC 7644). The tenant is that of the token; no path and no body names a tenant.
import { hashSecret, isSecret } from '@gatewarden/shared/secrets.ts';
import { ScimList, ScimResource } from '@gatewarden/shared/wire/scim.ts';
import type { FastifyRequest } from 'fastify';
import type { Db } from '../../../platform/db/database.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import { type App, acceptJson } from '../../../platform/http/server/app.ts';
import { bindRoutesToTenant } from '../../../platform/http/server/tenant-context.ts';
import { handleScimError, SCIM_TYPE } from './errors.ts';
import { registerScimGroups } from './group-routes.ts';
import { normalizePatchMessage } from './normalization.ts';
import { config, describeRoute, IdParams, toListResponse } from './requests.ts';
import { SCIM_PREFIX } from './resources.ts';
import { type ScimGrant, useScimToken } from './token-store.ts';
import { registerScimUsers } from './user-routes.ts';
import type { ScimDeps } from './users.ts';
import { readDiscovery } from './validation.ts';

/** Registers SCIM with its own authentication, content type and errors. */
export async function registerScim(app: App, deps: ScimDeps): Promise<void> {
  await app.register(
    async (scope: App) => {
      scope.decorateRequest('directory', null);
      scope.setErrorHandler(handleScimError);
      scope.setNotFoundHandler((request, reply) => {
        handleScimError(new HubError('not_found'), request, reply);
      });
      acceptJson(scope, 'application/scim+json');
      scope.addHook('onRequest', async (request, reply) => {
        reply.header('cache-control', 'no-store').type(SCIM_TYPE);
        request.directory = await authenticate(deps.db, request);
        request.bodyClient = request.directory.tokenId;
      });
      scope.addHook('preValidation', (request, _reply, done) => {
        if (request.method === 'PATCH') request.body = normalizePatchMessage(request.body);
        done();
      });
      bindRoutesToTenant(scope, (request) => request.directory?.tenantId);
      registerDiscovery(scope, deps);
      registerScimUsers(scope, deps);
      registerScimGroups(scope, deps);
    },
    { prefix: SCIM_PREFIX },
  );
}

async function authenticate(db: Db, request: FastifyRequest): Promise<ScimGrant> {
  const token = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1];
  if (token === undefined || !isSecret('scim', token)) throw new HubError('invalid_scim_token');
  const grant = await useScimToken(db, hashSecret(token));
  if (grant === null) throw new HubError('invalid_scim_token');
  return grant;
}

function registerDiscovery(scope: App, { origin }: ScimDeps): void {
  scope.get(
    '/ServiceProviderConfig',
    {
      config,
      schema: describeRoute('Get the SCIM service provider configuration', {
        response: { 200: ScimResource },
      }),
    },
    async () => await requireSingle(readDiscovery('ServiceProviderConfig', origin)),
  );
  for (const resource of ['ResourceTypes', 'Schemas'] as const) {
    const plural = resource === 'Schemas' ? 'schemas' : 'resource types';
    scope.get(
      `/${resource}`,
      { config, schema: describeRoute(`List the SCIM ${plural}`, { response: { 200: ScimList } }) },
      async () => {
        const resources = await readDiscovery(resource, origin);
        return toListResponse(Array.isArray(resources) ? resources : [], 1);
      },
    );
    scope.get(
      `/${resource}/:id`,
      {
        config,
        schema: describeRoute(`Get a SCIM ${plural.slice(0, -1)}`, {
          params: IdParams,
          response: { 200: ScimResource },
        }),
      },
      async (request) =>
        await requireSingle(readDiscovery(resource, origin, (request.params as { id: string }).id)),
    );
  }
}

async function requireSingle(resources: ReturnType<typeof readDiscovery>): Promise<ScimResource> {
  const resource = await resources;
  if (resource === null || Array.isArray(resource)) throw new HubError('not_found');
  return resource;
}
