// Texts of the emergency stop.
export const stopTexts = {
  title: 'Emergency stop',
  states: {
    enforce: 'Enforcement is on.',
    monitor: 'Enforcement is paused: all agents are in monitor mode.',
    off: 'Policies are off: agents don’t enforce or report anything.',
  },
  acts: {
    enforce: 'Resume enforcement',
    monitor: 'Pause enforcement',
    off: 'Turn off policies',
  },
  consequences: {
    enforce:
      'All devices enforce policies again at their next check-in, as their configuration allows.',
    monitor:
      'From their next check-in, devices no longer terminate anything. They still report what would have been blocked.',
    off: 'From their next check-in, devices ignore all policies and report nothing about them.',
  },
} as const;
