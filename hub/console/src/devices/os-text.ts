// The operating system of a device in words.
import type { Platform } from '@gatewarden/shared/wire/vocabulary.ts';
import { texts } from '../texts.ts';

/** Returns “macOS 15.1”, without a repeated name if the version contains the name of the system. */
export function osText({
  platform,
  os_version: version,
}: {
  platform: Platform;
  os_version: string;
}): string {
  const name = texts.platforms[platform];
  const isNamed = version.toLowerCase().startsWith(name.toLowerCase());
  return isNamed ? version : `${name} ${version}`.trim();
}
