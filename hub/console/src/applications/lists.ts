// The tabs of the inventory that list apps, each with the kinds it lists. The last part of the address names the list.
import type { EntityKind } from '@gatewarden/shared/wire/vocabulary.ts';
import { navTexts } from '../app/nav-texts.ts';

interface InventoryList {
  title: string;
  /** Left out: every kind. More than one: a filter chooses among them. */
  kinds?: readonly [EntityKind, ...EntityKind[]];
}

export const INVENTORY_LISTS = {
  'ai-tools': { title: navTexts.inventory.aiTools, kinds: ['ai_tool'] },
  'mcp-servers': { title: navTexts.inventory.mcpServers, kinds: ['mcp_server'] },
  apps: { title: navTexts.inventory.apps, kinds: ['application'] },
  extensions: {
    title: navTexts.inventory.extensions,
    kinds: ['browser_extension', 'ide_extension'],
  },
  packages: { title: navTexts.inventory.packages, kinds: ['package'] },
  all: { title: navTexts.inventory.all },
} as const satisfies Record<string, InventoryList>;

export type InventoryListName = keyof typeof INVENTORY_LISTS;

export const inventoryList = (name: string): InventoryList | undefined =>
  Object.hasOwn(INVENTORY_LISTS, name) ? INVENTORY_LISTS[name as InventoryListName] : undefined;

/** Returns the name of the list that shows this kind; the list of all kinds where none is given. */
export function listOfKind(kind: EntityKind | undefined): InventoryListName {
  const names = Object.keys(INVENTORY_LISTS) as InventoryListName[];
  const name = names.find((known) =>
    inventoryList(known)?.kinds?.some((listed) => listed === kind),
  );
  return name ?? 'all';
}
