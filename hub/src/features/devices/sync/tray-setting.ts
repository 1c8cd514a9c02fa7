// C/tray-setting: whether people may pause the agent of their device, and the contact that the tray app shows.
import {
  TraySettingAnswer,
  TraySettingInput,
} from '@gatewarden/shared/wire/console/tray-setting.ts';
import type { SyncedSetting } from './tenant-setting.ts';
import { selectTraySetting, updateTraySetting } from './tray-setting-store.ts';

export const TRAY_SETTING: SyncedSetting<TraySettingInput> = {
  path: '/tray-setting',
  title: 'the tray settings',
  input: TraySettingInput,
  answer: TraySettingAnswer,
  operation: 'tray_setting.set',
  select: selectTraySetting,
  update: updateTraySetting,
};
