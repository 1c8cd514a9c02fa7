// The wording of secrets that are shown: a secret is shown once, or administrators can reveal it later.

/** `thing`: “token”, “signing secret”. */
export const shownOnce = (thing: string): string =>
  `Copy this ${thing} now. It won’t be shown again.`;

/** `thing`: “key”. */
export const revealedLater = (thing: string): string =>
  `Copy this ${thing} now, or reveal it later in the list of keys.`;
