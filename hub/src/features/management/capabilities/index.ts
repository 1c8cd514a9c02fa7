// R/capabilities and R/openapi.json: the features of this deployment, from the tables that implement them.
import { OneOf } from '@gatewarden/shared/wire/common.ts';
import { PolicyAuthority } from '@gatewarden/shared/wire/management/apps.ts';
import { RequestId, SCOPES } from '@gatewarden/shared/wire/management/common.ts';
import { PROVIDER_TYPES } from '@gatewarden/shared/wire/management/providers.ts';
import { Type } from 'typebox';
import { type RouteSpec, route } from '../auth/index.ts';
import type { PolicyOf } from '../catalogs/index.ts';
import { APP_FIELDS } from '../configuration/index.ts';
import { MODEL_TEST_PROVIDER_TYPES } from '../providers/index.ts';

const SCHEMA_VERSION = '1.0';

const Capabilities = Type.Object({
  schema_version: Type.String(),
  scopes: Type.Array(OneOf(SCOPES)),
  provider_types: Type.Array(OneOf(PROVIDER_TYPES)),
  app_fields: Type.Array(Type.String()),
  writes_available: Type.Boolean(),
  policy_updates: Type.Boolean(),
  policy_authority: PolicyAuthority,
  model_test_provider_types: Type.Array(Type.String()),
  ...RequestId,
});

export interface CapabilityDeps {
  policyOf: PolicyOf;
  /** The deployment has no models to test with. */
  modelTestsUnavailable: boolean;
  /** The document of these routes, built for the first request. */
  document(): object;
}

export function capabilityRoutes(deps: CapabilityDeps): RouteSpec[] {
  return [
    route({
      method: 'GET',
      path: '/capabilities',
      summary: 'Get the capabilities of this deployment',
      description: '`request_id` is at the root, beside the capabilities, as in every answer.',
      scopes: ['read'],
      answers: { 200: Capabilities },
      async handle({ principal: { tenantId } }) {
        return {
          body: {
            schema_version: SCHEMA_VERSION,
            scopes: SCOPES,
            provider_types: PROVIDER_TYPES,
            app_fields: APP_FIELDS,
            writes_available: true,
            policy_updates: false,
            policy_authority: await deps.policyOf(tenantId),
            model_test_provider_types: deps.modelTestsUnavailable ? [] : MODEL_TEST_PROVIDER_TYPES,
          },
        };
      },
    }),
    route({
      method: 'GET',
      path: '/openapi.json',
      summary: 'Get the OpenAPI 3.1 document of this API',
      scopes: ['read'],
      answers: { 200: Type.Unsafe<object>({ type: 'object', additionalProperties: true }) },
      async handle() {
        return { body: deps.document(), bare: true };
      },
    }),
  ];
}
