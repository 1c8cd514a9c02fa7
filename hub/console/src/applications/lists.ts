// The tab of the inventory in which an app of a kind is.
import type { EntityKind } from '@gatewarden/shared/wire/vocabulary.ts';
import { navTexts } from '../app/nav-texts.ts';

const { inventory } = navTexts;
const LIST_OF_KIND = {
  ai_tool: { list: 'ai-tools', title: inventory.aiTools },
  mcp_server: { list: 'mcp-servers', title: inventory.mcpServers },
  application: { list: 'apps', title: inventory.apps },
  browser_extension: { list: 'extensions', title: inventory.extensions },
  ide_extension: { list: 'extensions', title: inventory.extensions },
  package: { list: 'packages', title: inventory.packages },
} as const satisfies Record<EntityKind, { list: string; title: string }>;

/** Returns the product list with this kind, and its title; the list of all apps before the kind is known. */
export const listOfKind = (kind: EntityKind | undefined) =>
  kind === undefined ? { list: 'all', title: inventory.all } : LIST_OF_KIND[kind];
