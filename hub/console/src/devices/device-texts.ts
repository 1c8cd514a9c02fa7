// The words of what is done with a device as such.
export const deviceTexts = {
  actions: 'Manage this device',
  scan: 'Scan now',
  scanAsked: 'The device scans with its next poll.',
  move: 'Move to another person',
  moveText:
    'The device, its token and its history belong to the new person from now on. Its agent must be configured for them.',
  person: 'Person',
  moved: 'The device was moved.',
  retire: 'Retire',
  retireTitle: 'Retire this device?',
  retireText:
    'Its inventory and its tokens are taken away. It may do nothing any more, whatever token it sends, until it is admitted again. Its activity and alerts stay.',
  retired: 'The device was retired.',
  retiredSince: 'Retired',
  admit: 'Admit again',
  admitted: 'The device may enrol again.',
  failed: 'That did not work',
  stale: 'Stale',
  duplicate:
    'Two machines seem to use this id: it calls itself in turns by different names. Give a cloned machine an id of its own by emptying the data folder of its agent.',
} as const;
