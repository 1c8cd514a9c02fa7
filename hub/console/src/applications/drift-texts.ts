// The words of drift.
export const driftTexts = {
  title: 'Changed since it was approved',
  lead: 'The approval was for what was there then. Look at what changed, and decide anew or keep the approval.',
  launchChanged:
    'It is launched differently than when it was approved: command, arguments or address.',
  newPermissions: 'It may do more:',
  reviewed: 'Keep the approval',
  newer: 'It changed again, or somebody reviewed it, while you looked at it. Look again.',
  failed: 'The review was not stored',
};
