// SCIM 2.0 (RFC 7644): a company's directory provisions people, with their role, and their groups. The tenant is that of
// the token; nothing in a path or a body names one.
import { hashSecret, isSecret } from '@gatewarden/shared/secrets.ts';
import { ScimList, ScimResource } from '@gatewarden/shared/wire/scim.ts';
import type { FastifyRequest } from 'fastify';
import type { Db } from '../../../platform/db/database.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import { type App, acceptJson } from '../../../platform/http/server/app.ts';
import { bindRoutesToTenant } from '../../../platform/http/server/tenant-context.ts';
import { answerScimError, SCIM_TYPE } from './faults.ts';
import { registerScimGroups } from './group-routes.ts';
import { normalizePatchMessage } from './normalization.ts';
import { about, config, listed, One } from './requests.ts';
import { SCIM_PREFIX } from './resources.ts';
import { described } from './standard.ts';
import { type ScimGrant, useScimToken } from './token-store.ts';
import { registerScimUsers } from './user-routes.ts';
import type { ScimDeps } from './users.ts';

export async function registerScim(app: App, deps: ScimDeps): Promise<void> {
  await app.register(
    async (scope: App) => {
      scope.decorateRequest('directory', null);
      scope.setErrorHandler(answerScimError);
      scope.setNotFoundHandler((request, reply) => {
        answerScimError(new HubError('not_found'), request, reply);
      });
      acceptJson(scope, 'application/scim+json');
      scope.addHook('onRequest', async (request, reply) => {
        reply.header('cache-control', 'no-store').type(SCIM_TYPE);
        request.directory = await directoryOf(deps.db, request);
        request.bodyClient = request.directory.tokenId;
      });
      scope.addHook('preValidation', (request, _reply, done) => {
        if (request.method === 'PATCH') request.body = normalizePatchMessage(request.body);
        done();
      });
      bindRoutesToTenant(scope, (request) => request.directory?.tenantId);
      registerDescriptions(scope, deps);
      registerScimUsers(scope, deps);
      registerScimGroups(scope, deps);
    },
    { prefix: SCIM_PREFIX },
  );
}

async function directoryOf(db: Db, request: FastifyRequest): Promise<ScimGrant> {
  const token = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1];
  if (token === undefined || !isSecret('scim', token)) throw new HubError('invalid_scim_token');
  const found = await useScimToken(db, hashSecret(token));
  if (found === null) throw new HubError('invalid_scim_token');
  return found;
}

function registerDescriptions(scope: App, { origin }: ScimDeps): void {
  scope.get(
    '/ServiceProviderConfig',
    {
      config,
      schema: about('Get the SCIM service provider configuration', {
        response: { 200: ScimResource },
      }),
    },
    async () => await one(described('ServiceProviderConfig', origin)),
  );
  for (const what of ['ResourceTypes', 'Schemas'] as const) {
    const plural = what === 'Schemas' ? 'schemas' : 'resource types';
    scope.get(
      `/${what}`,
      { config, schema: about(`List the SCIM ${plural}`, { response: { 200: ScimList } }) },
      async () => {
        const all = await described(what, origin);
        return listed(Array.isArray(all) ? all : [], 1);
      },
    );
    scope.get(
      `/${what}/:id`,
      {
        config,
        schema: about(`Get a SCIM ${plural.slice(0, -1)}`, {
          params: One,
          response: { 200: ScimResource },
        }),
      },
      async (request) => await one(described(what, origin, (request.params as { id: string }).id)),
    );
  }
}

async function one(found: ReturnType<typeof described>): Promise<ScimResource> {
  const read = await found;
  if (read === null || Array.isArray(read)) throw new HubError('not_found');
  return read;
}
