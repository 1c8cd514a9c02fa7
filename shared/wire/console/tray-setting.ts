// C/tray-setting: what people may do in the tray app of their devices, and whom it tells them to ask.
import { type Static, Type } from 'typebox';
import { Nullable } from '../common.ts';
import { PAUSE_MINUTES_MAX } from '../sync/limits.ts';

export const TraySettingInput = Type.Object(
  {
    /** So long may a device's person make its agent only watch, within 24 hours; 0: not at all. */
    pause_minutes: Type.Integer({ minimum: 0, maximum: PAUSE_MINUTES_MAX }),
    /** A name, an address or a page, as people read it. */
    contact: Nullable(Type.String({ minLength: 1, maxLength: 256, pattern: '\\S' })),
  },
  { additionalProperties: false },
);
export type TraySettingInput = Static<typeof TraySettingInput>;

export const TraySettingAnswer = Type.Object({
  pause_minutes: Type.Integer(),
  contact: Nullable(Type.String()),
  version: Type.String(),
  request_id: Type.String(),
});
export type TraySettingAnswer = Static<typeof TraySettingAnswer>;
