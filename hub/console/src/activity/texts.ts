// The texts of the details and filters of enforcement events.
export const activityTexts = {
  event: 'Enforcement event',
  appName: 'App or process',
  platform: 'Platform',
  received: 'Received',
  executable: 'Program',
  id: 'Event ID',
  removed: 'This event is no longer stored.',
  policy: 'Policy in force',
  showPolicy: 'Show policy',
} as const;
