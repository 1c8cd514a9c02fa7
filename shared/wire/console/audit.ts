// GET C/audit: the tenant's audit events, newest first; also as a file.
import { type Static, Type } from 'typebox';
import { Instant, Nullable, OneOf, Uuid } from '../common.ts';
import { CountedListAnswer, FileFormat, ListQuery } from './common.ts';
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
  /** The client's address behind trusted proxies; absent if no client caused the event. */
  address: Type.Optional(Type.String()),
});

export const AuditEventRow = Type.Object({
  event_id: Uuid,
  at: Type.String(),
  actor: AuditActor,
  /** The operation, `<resource>.<verb>`, such as `override.create`. */
  operation: Type.String(),
  resource: Type.Object({ kind: Type.String(), id: Type.String() }),
  result: OneOf(['succeeded', 'failed']),
  request_id: Nullable(Type.String()),
  /** The changed values, never secrets. */
  detail: Type.Unsafe<object>({ type: 'object', additionalProperties: true }),
});
export type AuditEventRow = Static<typeof AuditEventRow>;

const filters = {
  /** The actor's complete e-mail address. */
  actor: Type.Optional(Type.String({ maxLength: 320 })),
  /** A complete operation, or a prefix such as `override.*`. */
  operation: Type.Optional(Type.String({ maxLength: 100 })),
  /** The kind of the changed resource; the id is a filter of its own. */
  resource_kind: Type.Optional(Type.String({ maxLength: 100 })),
  resource_id: Type.Optional(Type.String({ maxLength: 320 })),
  /** The start (inclusive) of the period; `to` is its exclusive end. */
  from: Type.Optional(Instant),
  to: Type.Optional(Instant),
};
const sort = { sort: Type.Optional(OneOf(TIME_SORTS)) };

export const AuditQuery = Type.Object(
  { ...ListQuery, ...filters, ...sort },
  { additionalProperties: false, title: 'AuditQuery' },
);
export const AuditDownloadQuery = Type.Object(
  { format: FileFormat, ...filters, ...sort },
  { additionalProperties: false },
);
/** C/audit/histogram: the same filters. */
export const AuditHistogramQuery = Type.Object(filters, { additionalProperties: false });
export type AuditFilter = Omit<Static<typeof AuditQuery>, 'limit' | 'cursor'>;

export const AuditEventsAnswer = CountedListAnswer(AuditEventRow);
export const AuditEventAnswer = Type.Object({ event: AuditEventRow, request_id: Type.String() });
export type AuditEventAnswer = Static<typeof AuditEventAnswer>;
