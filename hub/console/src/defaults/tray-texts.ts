// The words of what people may do in the tray app.
export const trayTexts = {
  title: 'The tray app on devices',
  lead: 'People see there what is found, sent and decided on their device, and ask for exceptions.',
  contact: 'Whom people are told to ask',
  contactHint: 'A name, an address or a page, as they read it. Empty: nobody is named.',
  pause: 'Minutes that people may pause',
  pauseHint:
    'Within 24 hours, on their own device: the agent only watches meanwhile, and an alert tells of it. 0: not at all; at most 480.',
  submit: 'Store what the tray app offers',
  stored: 'The setting is stored. Devices get it with their next poll.',
  conflict: 'Somebody else changed the setting meanwhile. Undo your change to see theirs.',
} as const;
