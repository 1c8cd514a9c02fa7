// The list of all sources: a new one is a new file and a new line here.
import type { Source } from '../source.ts';
import { desktopEntries } from './desktop-entries.ts';
import { dpkg } from './dpkg.ts';
import { mcpConfig } from './mcp-config.ts';

export const SOURCES: readonly Source[] = [dpkg, desktopEntries, mcpConfig];
