// The steps of the setup checklist, without the schema library.
export const SETUP_STEPS = [
  'device',
  'policy',
  'notification_channel',
  'provider',
  'app_key',
  'request',
  'mcp_server',
  'colleague',
] as const;
export type SetupStep = (typeof SETUP_STEPS)[number];
