// The list of all sources: a new one is a new file and a new line here.
import type { Source } from '../source.ts';
import { apk } from './apk.ts';
import { appBundles } from './app-bundle.ts';
import { desktopEntries } from './desktop-entries.ts';
import { dpkg } from './dpkg.ts';
import { flatpak } from './flatpak.ts';
import { homebrew } from './homebrew.ts';
import { mcpConfig } from './mcp-config.ts';
import { nix } from './nix.ts';
import { npm } from './npm.ts';
import { pacman } from './pacman.ts';
import { python } from './python.ts';
import { snap } from './snap.ts';
import { windowsAppx } from './windows-appx.ts';
import { windowsUninstall } from './windows-uninstall.ts';

export const SOURCES: readonly Source[] = [
  dpkg,
  pacman,
  apk,
  nix,
  flatpak,
  snap,
  desktopEntries,
  homebrew,
  appBundles,
  windowsUninstall,
  windowsAppx,
  npm,
  python,
  mcpConfig,
];
