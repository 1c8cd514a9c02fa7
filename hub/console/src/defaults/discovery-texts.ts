// Texts of the scope of discovery.
export const discoveryTexts = {
  title: 'Discovery scope',
  lead: 'System-wide programs are always scanned. Values of variables, headers and tokens never leave a device.',
  places: {
    personal_homes: 'Home directories',
    browser_profiles: 'Browser profiles',
  },
  hints: {
    personal_homes:
      'AI tools, MCP servers, IDE extensions, packages and apps in home directories. Without it, MCP servers that users set up themselves aren’t discovered.',
    browser_profiles: 'Extensions in users’ browsers. No history, pages or passwords.',
  },
  erases:
    'Data discovered there is erased within minutes, and devices stop scanning there at their next check-in.',
  submit: 'Save discovery scope',
  stored: 'Settings saved. Devices pick them up at their next check-in (about 1 min).',
  conflict: 'Someone else changed this setting. Discard your change to load the latest version.',
} as const;
