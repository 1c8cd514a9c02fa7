const EMAIL = /^[^\s@<>"]{1,64}@[^\s@<>"]{1,253}$/;

/** Returns whether a person can be known by this text. */
export const isEmail = (text: string): boolean => EMAIL.test(text);
