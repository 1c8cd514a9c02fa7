const EMAIL = /^[^\s@<>"]{1,64}@[^\s@<>"]{1,253}$/;

/** Returns whether the text has the form of an e-mail address, which identifies a user. */
export const isEmail = (text: string): boolean => EMAIL.test(text);
