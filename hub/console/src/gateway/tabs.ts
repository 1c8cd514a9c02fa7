// The tabs of an app's page, as they stand in the URL.
export const APP_TABS = ['settings', 'providers', 'keys', 'prompts', 'versions'] as const;
