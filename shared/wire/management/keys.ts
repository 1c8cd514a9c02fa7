// App keys: the credentials with which an app's callers reach the gateway.
import { type Static, Type } from 'typebox';
import { NameText, Nullable, OneOf, Uuid } from '../common.ts';
import {
  ActorWire,
  ExpiresAt,
  ListAnswer,
  RequestId,
  Strict,
  UnixSeconds,
  Version,
} from './common.ts';
import { KEY_STATUSES } from './settings.ts';

/** After trimming, a name has 1 to 120 characters. */
export const AppKeyName = NameText(200);

export const AppKeyInput = Strict({
  name: AppKeyName,
  expires_at: Type.Optional(Nullable(ExpiresAt)),
});
export type AppKeyInput = Static<typeof AppKeyInput>;
export const AppKeyPatch = Strict({ expires_at: Nullable(ExpiresAt) });

const described = {
  key_id: Uuid,
  name: Type.String(),
  status: OneOf(KEY_STATUSES),
  fingerprint: Type.String(),
  creator: ActorWire,
  created_at: UnixSeconds,
  /** The expiry in RFC 3339. */
  expires_at: Nullable(Type.String()),
  revoked_at: Nullable(UnixSeconds),
  last_used_at: Nullable(UnixSeconds),
  last_used_from: Nullable(Type.String()),
  version: Version,
};
export const AppKey = Type.Object(described, { title: 'AppKey' });
export type AppKey = Static<typeof AppKey>;
export const AppKeyIssued = Type.Object(
  { ...described, secret: Type.String() },
  { title: 'AppKeyIssued' },
);
export type AppKeyIssued = Static<typeof AppKeyIssued>;

export const AppKeyAnswer = Type.Object({ key: AppKey, ...RequestId });
export const AppKeyIssuedAnswer = Type.Object({ key: AppKeyIssued, ...RequestId });
export const AppKeysAnswer = ListAnswer(AppKey);
