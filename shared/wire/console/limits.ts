// Bounds that pages and the command line hold, too: without the schema library, which a page would load for them.

/** Of a password that the hub keeps, in characters. */
export const PASSWORD_LENGTH = { least: 8, most: 1024 } as const;
