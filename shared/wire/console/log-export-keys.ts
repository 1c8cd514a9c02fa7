// C/log-export-keys: bearer keys with which collectors read the logs of a scope.
import { type Static, Type } from 'typebox';
import { Instant, NameText, Nullable, OneOf, Uuid } from '../common.ts';
import { ListAnswer, ListQuery } from './common.ts';

export const EXPORT_SCOPES = ['app', 'all_apps', 'backend', 'all_backends'] as const;
export type ExportScope = (typeof EXPORT_SCOPES)[number];

const Name = NameText(200);

export const ExportKeyInput = Type.Object(
  {
    /** An id that the client generates. A repeated id is `already_exists`, so that a retry creates no second key. */
    key_id: Type.Optional(Uuid),
    scope: OneOf(EXPORT_SCOPES),
    /** The app; required for the scope `app`. */
    app_name: Type.Optional(Type.String({ minLength: 1, maxLength: 1_000 })),
    /** The backend; required for the scope `backend`. */
    backend_id: Type.Optional(Uuid),
    name: Type.Optional(Name),
    expires_at: Type.Optional(Nullable(Instant)),
  },
  { additionalProperties: false, title: 'LogExportKeyInput' },
);
export type ExportKeyInput = Static<typeof ExportKeyInput>;

export const ExportKey = Type.Object(
  {
    key_id: Type.String(),
    name: Type.String(),
    scope: OneOf(EXPORT_SCOPES),
    app_id: Nullable(Type.String()),
    backend_id: Nullable(Type.String()),
    fingerprint: Type.String(),
    status: OneOf(['active', 'expired', 'revoked'] as const),
    created_at: Type.String(),
    expires_at: Nullable(Type.String()),
    revoked_at: Nullable(Type.String()),
    last_used_at: Nullable(Type.String()),
    /** The time up to which the collector has read. */
    read_up_to: Nullable(Type.String()),
    version: Type.String(),
  },
  { title: 'LogExportKey' },
);
export type ExportKey = Static<typeof ExportKey>;

export const ExportKeyList = ListAnswer(ExportKey);
export const ExportKeyQuery = Type.Object(ListQuery, { additionalProperties: false });
export const ExportKeyAnswer = Type.Object({ key: ExportKey, request_id: Type.String() });
/** The only responses with the secret. */
export const ExportKeyIssued = Type.Object({
  key: ExportKey,
  secret: Type.String(),
  request_id: Type.String(),
});
export const TenantExportKeyAnswer = Type.Object({
  tenant_log_export_key: Type.String(),
  key: ExportKey,
  request_id: Type.String(),
});
