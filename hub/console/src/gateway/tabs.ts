// The tabs of an app's page by their names in the URL.
export const APP_TABS = [
  'settings',
  'guardrails',
  'providers',
  'keys',
  'connect',
  'prompts',
  'versions',
] as const;
