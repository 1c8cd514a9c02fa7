// What a UUID looks like, for those who load no schema library.

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A UUID of any version, of a text that no schema checks. */
export const isUuid = (text: string): boolean => UUID.test(text);
