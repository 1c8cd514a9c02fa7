// Texts of drift.
export const driftTexts = {
  title: 'Changed since approval',
  lead: 'This app changed after it was approved. Review the changes, then set a new policy or keep the approval.',
  launchChanged: 'The launch command, arguments or URL changed.',
  newPermissions: 'New permissions:',
  reviewed: 'Keep approval',
  newer: 'This changed again, or someone else reviewed it. Review the latest version.',
  failed: 'Couldn’t save the review',
};
