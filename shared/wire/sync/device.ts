// The identification of a device in every POST of the sync protocol.
import { type Static, Type } from 'typebox';
import { OneOf, Uuid } from '../common.ts';
import { PLATFORMS } from '../vocabulary.ts';

export const WireDevice = Type.Object({
  device_id: Uuid,
  hostname: Type.String({ minLength: 1, maxLength: 255 }),
  platform: OneOf(PLATFORMS),
  os_version: Type.String({ maxLength: 255 }),
  arch: Type.String({ maxLength: 64 }),
  agent_version: Type.String({ maxLength: 64 }),
});
export type WireDevice = Static<typeof WireDevice>;

/** The user to whom the device belongs. */
export const SUBSCRIBER_ID_PATTERN = '^[\\x20-\\x7e]{1,128}$';
export const SubscriberId = Type.String({
  description: '1-128 printable ASCII characters',
  pattern: SUBSCRIBER_ID_PATTERN,
});

/** A subscriber id that a device can send: HTTP strips blanks at either end of a header value (RFC 9110 §5.5). */
export const NamedSubscriberId = Type.String({
  description: '1-128 printable ASCII characters without a blank at either end',
  pattern: '^[\\x21-\\x7e]([\\x20-\\x7e]{0,126}[\\x21-\\x7e])?$',
});
