// The words of the emergency stop.
export const stopTexts = {
  title: 'Emergency stop',
  states: {
    enforce: 'Not pulled: every agent carries out what its own configuration allows.',
    monitor: 'Pulled: every agent only watches and reports, whatever its configuration says.',
    off: 'Pulled: every agent does and reports nothing about decisions.',
  },
  acts: {
    enforce: 'Take the emergency stop back',
    monitor: 'Stop all enforcement',
    off: 'Switch decisions off',
  },
  consequences: {
    enforce:
      'With their next poll all devices carry decisions out again, as their configuration allows.',
    monitor:
      'With their next poll all devices end nothing any more. They go on to report what they would have done.',
    off: 'With their next poll all devices stop deciding, and report nothing about decisions.',
  },
} as const;
