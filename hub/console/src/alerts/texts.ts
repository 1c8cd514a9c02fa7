// The texts of giving alerts to people.
export const assignTexts = {
  assigned: 'Assigned',
  filters: { me: 'To me', nobody: 'To nobody' },
  to: 'Looked after by',
  nobody: 'Nobody',
  self: (email: string) => `Me (${email})`,
  assignedTo: (who: string) => `looked after by ${who}`,
  assign: 'Assign',
  assignNamed: (what: string) => `Assign the alert: ${what}`,
  title: 'Assign this alert',
  store: 'Assign',
  conflict: (now: string | null) =>
    now === null
      ? 'Somebody else changed this meanwhile: nobody looks after it now. Choose again.'
      : `Somebody else changed this meanwhile: ${now} looks after it now. Choose again.`,
};
