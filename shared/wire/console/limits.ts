// Limits that pages and the command line check without the schema library.

/** The length of a password in the hub's own user database, in characters. */
export const PASSWORD_LENGTH = { least: 8, most: 1024 } as const;
