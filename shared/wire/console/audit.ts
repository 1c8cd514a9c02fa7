// GET C/audit: everything that was done in the tenant, by whom, newest first; and the same as a file.
import { type Static, Type } from 'typebox';
import { Instant, Nullable, OneOf, Uuid } from '../common.ts';
import { FileFormat, ListAnswer, ListQuery } from './common.ts';
import { TIME_SORTS } from './time-sorts.ts';

export const AuditActor = Type.Object({
  kind: OneOf([
    'person',
    'admin_token',
    'management_key',
    'operator',
    'device',
    'directory',
    'hub',
  ]),
  id: Type.String(),
  email: Nullable(Type.String()),
  /** The address of the client, behind trusted proxies; missing where no client asked. */
  address: Type.Optional(Type.String()),
});

export const AuditEventRow = Type.Object({
  event_id: Uuid,
  at: Type.String(),
  actor: AuditActor,
  /** `<resource>.<verb>`, such as `override.create`. */
  operation: Type.String(),
  resource: Type.Object({ kind: Type.String(), id: Type.String() }),
  result: OneOf(['succeeded', 'failed']),
  request_id: Nullable(Type.String()),
  /** What changed; never a secret. */
  detail: Type.Unsafe<object>({ type: 'object', additionalProperties: true }),
});
export type AuditEventRow = Static<typeof AuditEventRow>;

const filters = {
  /** The e-mail address of who did it, whole. */
  actor: Type.Optional(Type.String({ maxLength: 320 })),
  /** An action, whole; or of the form `override.*`. */
  operation: Type.Optional(Type.String({ maxLength: 100 })),
  /** Of what it was done to: the kind, and the id. */
  resource_kind: Type.Optional(Type.String({ maxLength: 100 })),
  resource_id: Type.Optional(Type.String({ maxLength: 320 })),
  /** From this time on, and before that one. */
  from: Type.Optional(Instant),
  to: Type.Optional(Instant),
  sort: Type.Optional(OneOf(TIME_SORTS)),
};

export const AuditQuery = Type.Object(
  { ...ListQuery, ...filters },
  { additionalProperties: false, title: 'AuditQuery' },
);
export const AuditDownloadQuery = Type.Object(
  { format: FileFormat, ...filters },
  { additionalProperties: false },
);
export type AuditFilter = Omit<Static<typeof AuditQuery>, 'limit' | 'cursor'>;

export const AuditEventsAnswer = ListAnswer(AuditEventRow);
export const AuditEventAnswer = Type.Object({ event: AuditEventRow, request_id: Type.String() });
export type AuditEventAnswer = Static<typeof AuditEventAnswer>;
