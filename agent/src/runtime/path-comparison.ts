// Compares paths as the file system does: Windows ignores case, and accepts both slashes.

/** Returns the form in which two names of the same path are equal texts. */
export function comparablePath(path: string, platform: string = process.platform): string {
  return platform === 'win32' ? path.replaceAll('/', '\\').toLowerCase() : path;
}

/** Returns the rest of the path below the folder, with its slashes; '' for the folder itself; null where it is elsewhere. */
export function pathBelow(
  folder: string,
  path: string,
  platform: string = process.platform,
): string | null {
  const [whole, base] = [comparablePath(path, platform), comparablePath(folder, platform)];
  if (whole === base) return '';
  const separator = platform === 'win32' ? '\\' : '/';
  // A drive's root ends with its separator.
  const start = base.endsWith(separator) ? base : base + separator;
  return whole.startsWith(start) ? path.slice(start.length) : null;
}

/** Returns true for the folder itself, and for a path below it. */
export function isWithin(
  folder: string,
  path: string,
  platform: string = process.platform,
): boolean {
  return pathBelow(folder, path, platform) !== null;
}
