// What the navigation calls the pages of the settings; apart, for it is loaded at once.
export const settingsNav = {
  part: 'Settings',
  people: 'People',
  enrolment: 'Enrolment',
  releases: 'Agent releases',
  keys: 'Keys and tokens',
  audit: 'Audit trail',
  health: 'Hub health',
  reference: 'API reference',
  settings: 'Sign-in and retention',
  sessions: 'My sessions',
};
