// Management settings of a tenant: the opt-in and the management keys.
import { type Static, Type } from 'typebox';
import { NameText, Nullable, OneOf, Uuid } from '../common.ts';
import {
  ActorWire,
  ExpiresAt,
  ListAnswer,
  RequestId,
  SCOPES,
  Strict,
  UnixSeconds,
  Version,
} from './common.ts';

export const ManagementSettings = Type.Object({
  tenant_id: Uuid,
  enabled: Type.Boolean(),
  version: Version,
});
export type ManagementSettings = Static<typeof ManagementSettings>;
export const ManagementSettingsAnswer = Type.Object({ settings: ManagementSettings, ...RequestId });
export const ManagementSettingsPatch = Strict({ enabled: Type.Boolean() });

const KeyName = NameText(200);
const Scopes = Type.Array(OneOf(SCOPES), { minItems: 1, uniqueItems: true });

export const ManagementKeyInput = Strict({
  name: KeyName,
  scopes: Scopes,
  expires_at: Type.Optional(Nullable(ExpiresAt)),
});
export type ManagementKeyInput = Static<typeof ManagementKeyInput>;

export const ManagementKeyPatch = Strict({
  name: Type.Optional(KeyName),
  scopes: Type.Optional(Scopes),
  expires_at: Type.Optional(Nullable(ExpiresAt)),
});
export type ManagementKeyPatch = Static<typeof ManagementKeyPatch>;

export const KEY_STATUSES = ['active', 'expired', 'revoked'] as const;
export type KeyStatus = (typeof KEY_STATUSES)[number];

export const ManagementKey = Type.Object({
  key_id: Uuid,
  name: Type.String(),
  scopes: Type.Array(OneOf(SCOPES)),
  status: OneOf(KEY_STATUSES),
  fingerprint: Type.String(),
  creator: ActorWire,
  created_at: UnixSeconds,
  expires_at: Nullable(UnixSeconds),
  revoked_at: Nullable(UnixSeconds),
  last_used_at: Nullable(UnixSeconds),
  last_used_from: Nullable(Type.String()),
  version: Version,
});
export type ManagementKey = Static<typeof ManagementKey>;

export const ManagementKeyAnswer = Type.Object({ key: ManagementKey, ...RequestId });
export const ManagementKeyIssuedAnswer = Type.Object({
  key: Type.Object({ ...ManagementKey.properties, secret: Type.String() }),
  /** A second copy of the secret beside the key. Only this response and its idempotent replay contain it. */
  secret: Type.String(),
  ...RequestId,
});
export const ManagementKeysAnswer = ListAnswer(ManagementKey);
