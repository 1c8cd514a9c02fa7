// Bounds that a scan's child keeps and that its parent holds it to.

/** Of one source in one place: so many of the files that it read are told. */
export const MAX_TOLD_FILES = 512;
/** And so many folders in which it may come to find something. */
export const MAX_TOLD_FOLDERS = 256;
