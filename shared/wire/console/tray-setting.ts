// C/tray-setting: the pause that users may take in the tray app, and the contact that it shows.
import { type Static, Type } from 'typebox';
import { Nullable } from '../common.ts';
import { PAUSE_MINUTES_MAX } from '../sync/limits.ts';

export const TraySettingInput = Type.Object(
  {
    /** How many minutes within 24 hours a user may pause enforcement; 0 permits no pause. */
    pause_minutes: Type.Integer({ minimum: 0, maximum: PAUSE_MINUTES_MAX }),
    /** A name, an address or a page, shown verbatim. */
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
