// Purpose: the list of all discovery sources. A new source is a new file beside this file and a new line here. Main
// types: `Source` and `Discovered` (source-contract.ts). Invariants: a source reads through `ScopedFs` only, and runs
// nothing that it discovers. Depends on: sources/lib/ (parsers, databases), clients/ (tables of paths), mcp/
// (launches). Start reading at `SOURCES`, then at a small source such as zed.ts.
import type { Source } from '../source-contract.ts';
import { agentHooks } from './agent-hooks.ts';
import { aiCli } from './ai-cli.ts';
import { aiPermissions } from './ai-permissions.ts';
import { apk } from './apk.ts';
import { appBundles } from './app-bundle.ts';
import { CHROMIUM_BROWSERS } from './chromium.ts';
import { claudeExtensions } from './claude-extensions.ts';
import { desktopEntries } from './desktop-entries.ts';
import { dpkg } from './dpkg.ts';
import { EDITOR_PLUGINS } from './editor-plugins.ts';
import { flatpak } from './flatpak.ts';
import { GECKO_BROWSERS } from './gecko.ts';
import { homebrew } from './homebrew.ts';
import { instructionFiles, skills } from './instructions.ts';
import { jetbrains } from './jetbrains.ts';
import { mcpConfig } from './mcp-config.ts';
import { modelServers } from './model-server.ts';
import { modelStores } from './model-stores.ts';
import { nix } from './nix.ts';
import { npm } from './npm.ts';
import { pacman } from './pacman.ts';
import { pixi } from './pixi.ts';
import { python } from './python.ts';
import { rpm } from './rpm.ts';
import { runtimes } from './runtimes.ts';
import { safari } from './safari.ts';
import { snap } from './snap.ts';
import { vscode } from './vscode.ts';
import { windowsAppx } from './windows-appx.ts';
import { windowsUninstall } from './windows-uninstall.ts';
import { zed } from './zed.ts';

export const SOURCES: readonly Source[] = [
  dpkg,
  rpm,
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
  runtimes,
  pixi,
  mcpConfig,
  claudeExtensions,
  ...CHROMIUM_BROWSERS,
  ...GECKO_BROWSERS,
  safari,
  vscode,
  jetbrains,
  zed,
  ...EDITOR_PLUGINS,
  aiCli,
  aiPermissions,
  agentHooks,
  modelServers,
  modelStores,
  instructionFiles,
  skills,
];
