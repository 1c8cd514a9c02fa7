// C/mcp/backends: MCP servers that the hub stands before, and whose calls are logged.
import { type Static, Type } from 'typebox';
import { Nullable, Uuid } from '../common.ts';
import { ListAnswer, ListQuery } from './common.ts';

const Slug = Type.String({
  description: '1-64 lower-case letters, digits and hyphens, beginning with a letter or digit',
  pattern: '^[a-z0-9][a-z0-9-]{0,63}$',
});
const Name = Type.String({ minLength: 1, maxLength: 200 });
const Url = Type.String({ minLength: 1, maxLength: 2_048 });
const Auth = Type.Object({ kind: Type.Literal('none') }, { additionalProperties: false });

export const BackendInput = Type.Object(
  { slug: Slug, name: Name, url: Url, auth: Auth },
  { additionalProperties: false, title: 'McpBackendInput' },
);
export type BackendInput = Static<typeof BackendInput>;

export const BackendPatch = Type.Object(
  {
    slug: Type.Optional(Slug),
    name: Type.Optional(Name),
    url: Type.Optional(Url),
    enabled: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false, minProperties: 1, title: 'McpBackendPatch' },
);
export type BackendPatch = Static<typeof BackendPatch>;

export const Backend = Type.Object(
  {
    id: Type.String(),
    slug: Type.String(),
    name: Type.String(),
    url: Type.String(),
    auth: Type.Object({ kind: Type.String() }),
    enabled: Type.Boolean(),
    version: Type.String(),
    created_at: Type.String(),
    updated_at: Type.String(),
    /** To administrators only, and where one backend is read; null where its key was revoked. */
    log_export_key: Type.Optional(Nullable(Type.String())),
  },
  { title: 'McpBackend' },
);
export type Backend = Static<typeof Backend>;

export const BackendParams = Type.Object({ tenant_id: Type.String(), backend_id: Uuid });
export const BackendAnswer = Type.Object({ backend: Backend, request_id: Type.String() });
export const BackendList = ListAnswer(Backend);
export const BackendQuery = Type.Object(ListQuery);
