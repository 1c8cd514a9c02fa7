// Texts of the tray app's settings.
export const trayTexts = {
  title: 'Tray app',
  lead: 'The tray app shows users what is discovered and reported on their device, which policies apply, and lets them request access.',
  contact: 'Help contact',
  contactHint: 'A name, address or page, shown as entered. Leave blank to show no contact.',
  pause: 'Allowed pause (minutes)',
  pauseHint:
    'How long users may pause enforcement on their device per 24 hours. The agent then only monitors, and an alert is sent. 0 to turn off; up to 480.',
  submit: 'Save tray settings',
  stored: 'Settings saved. Devices pick them up at their next check-in (about 1 min).',
  conflict: 'Someone else changed this setting. Discard your change to load the latest version.',
} as const;
