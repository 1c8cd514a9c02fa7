// R/capabilities and R/openapi.json: the features of this deployment, from the tables that implement them.
import type { CatalogCategory } from '@gatewarden/shared/unsupported-settings.ts';
import { listUnsupported, UNSUPPORTED_REASONS } from '@gatewarden/shared/unsupported-settings.ts';
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
  model_checks_available: Type.Boolean({
    description: 'Every running gateway node has a guardian, which runs checks that need a model.',
  }),
  detection_categories: Type.Array(
    Type.Object({ id: Type.String(), subcategories: Type.Array(Type.String()) }),
    { description: 'Detection categories of the tenant, built-in and imported.' },
  ),
  unsupported_settings: Type.Array(
    Type.Object({
      path: Type.String({ description: 'JSON pointer into the configuration of an app.' }),
      reason: OneOf(UNSUPPORTED_REASONS),
    }),
    {
      description:
        'Settings that gateway nodes do not enforce at present. Policies of smart groups have the same limits.',
    },
  ),
  ...RequestId,
});

export interface CapabilityDeps {
  policyOf: PolicyOf;
  listCategories(tenantId: string): Promise<readonly CatalogCategory[]>;
  /** Returns whether every running node of the tenant has a guardian. */
  hasModelChecks(tenantId: string): Promise<boolean>;
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
        const categories = await deps.listCategories(tenantId);
        const hasModel = await deps.hasModelChecks(tenantId);
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
            model_checks_available: hasModel,
            detection_categories: categories.map(({ id, subcategories }) => ({
              id,
              subcategories: [...subcategories],
            })),
            unsupported_settings: listUnsupported({ hasModel, categories }),
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
