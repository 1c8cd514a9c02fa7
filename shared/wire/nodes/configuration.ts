// GET /node/v1/config: configuration changes since the cursor, for a gateway node.
import { Type } from 'typebox';
import { OneOf, Uuid } from '../common.ts';

export const CONFIGURATION_KINDS = [
  'settings',
  'provider',
  'app',
  'key',
  'prompt',
  'smart_group',
  'custom_definition',
  'category',
] as const;
export type ConfigurationKind = (typeof CONFIGURATION_KINDS)[number];

export const NodeConfigQuery = Type.Object(
  {
    cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 2048 })),
    wait: Type.Optional(
      Type.String({
        description: 'a whole number of seconds from 0 to 60',
        pattern: '^([0-9]|[1-5][0-9]|60)$',
      }),
    ),
    instance: Type.Optional(
      Type.String({
        description: 'id of the running process of the node: 1 to 64 letters, digits and hyphens',
        pattern: '^[A-Za-z0-9-]{1,64}$',
      }),
    ),
    model_checks: Type.Optional(
      Type.Union([Type.Literal('true'), Type.Literal('false')], {
        description: 'whether the process has a guardian, which runs checks that need a model',
      }),
    ),
    limit: Type.Optional(
      Type.String({
        description: 'a whole number from 1 to 500',
        pattern: '^([1-9]|[1-9]\\d|[1-4]\\d\\d|500)$',
      }),
    ),
  },
  { additionalProperties: false },
);

export const NodeConfigAnswer = Type.Object({
  items: Type.Array(
    Type.Object({
      kind: OneOf(CONFIGURATION_KINDS),
      tenant_id: Uuid,
      id: Type.String(),
      revision: Type.Integer(),
      deleted: Type.Boolean(),
      /** Null for a deleted document. Providers and legacy apps include their credentials, keys only a hash. */
      doc: Type.Unsafe<object | null>({ type: ['object', 'null'], additionalProperties: true }),
    }),
  ),
  next_cursor: Type.String(),
  has_more: Type.Boolean(),
  /** Processes of nodes of the tenant that polled within 90 s, at least 1. Each enforces its share of a limit. */
  live_nodes: Type.Integer({ minimum: 1 }),
  request_id: Type.String(),
});
