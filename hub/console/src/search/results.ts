// Results of the search box: pages by their name, then the hub's results, each with its address. Pure.
import { SEARCH_MOST, type SearchAnswer } from '@gatewarden/shared/wire/console/search.ts';
import type { Role } from '@gatewarden/shared/wire/vocabulary.ts';
import { MY_AREA, visibleArea, visibleAreas } from '../app/areas.ts';
import { texts } from '../texts.ts';
import { pageSynonyms } from './synonyms.ts';
import { searchTexts } from './texts.ts';

export interface SearchResult {
  key: string;
  label: string;
  description?: string;
  /** Below `/t/$tenantId`, with the names of `params`. */
  path: string;
  params?: Readonly<Record<string, string>>;
  search?: Readonly<Record<string, string>>;
}

export interface ResultGroup {
  kind: keyof typeof searchTexts.kinds;
  results: readonly SearchResult[];
}

/** Returns the groups that have results, pages first. */
export function resultGroups(
  query: string,
  role: Role,
  answer: SearchAnswer | undefined,
): ResultGroup[] {
  const groups: ResultGroup[] = [
    { kind: 'pages', results: pagesNamed(query, role) },
    ...(answer === undefined ? [] : foundGroups(answer)),
  ];
  return groups.filter(({ results }) => results.length > 0);
}

const contains = (name: string, word: string) => name.toLowerCase().includes(word);

/** Pages with the words in their own name precede pages that are known by a synonym. */
const isNamed = ({ label }: SearchResult, words: readonly string[]) =>
  words.every((word) => contains(label, word));

function pagesNamed(query: string, role: Role): SearchResult[] {
  const words = query.trim().toLowerCase().split(/\s+/);
  if (words[0] === '') return [];
  const areas = [...visibleAreas(role), visibleArea(MY_AREA, role)];
  return areas
    .flatMap((area) =>
      area.tabs.map((tab) => ({
        key: `page ${tab.path}`,
        label: tab.text,
        description: area.text,
        path: tab.path,
      })),
    )
    .map((page) => ({ page, names: [page.label, ...(pageSynonyms[page.path] ?? [])] }))
    .filter(({ names }) => words.every((word) => names.some((name) => contains(name, word))))
    .sort((a, b) => Number(isNamed(b.page, words)) - Number(isNamed(a.page, words)))
    .map(({ page }) => page)
    .slice(0, SEARCH_MOST);
}

function foundGroups(answer: SearchAnswer): ResultGroup[] {
  return [
    {
      kind: 'users',
      results: answer.users.map(({ email }) => ({
        key: email,
        label: email,
        path: '/users/$email',
        params: { email },
      })),
    },
    {
      kind: 'products',
      results: answer.products.map((product) => ({
        key: product.product_id,
        label: product.name,
        description: product.platforms.map((platform) => texts.platforms[platform]).join(' · '),
        path: '/inventory/products/$productId',
        params: { productId: product.product_id },
      })),
    },
    {
      kind: 'apps',
      results: answer.apps.map((app) => ({
        key: app.entity_id,
        label: app.name,
        description: `${texts.kinds[app.kind]} · ${texts.platforms[app.platform]}`,
        path: '/inventory/items/$entityId',
        params: { entityId: app.entity_id },
      })),
    },
    {
      kind: 'devices',
      results: answer.devices.map((device) => ({
        key: device.device_id,
        label: device.hostname,
        description: device.subscriber_id,
        path: '/devices/$deviceId',
        params: { deviceId: device.device_id },
      })),
    },
    {
      kind: 'mcp_servers',
      results: answer.mcp_servers.map((server) => ({
        key: server.backend_id,
        label: server.name,
        path: '/gateway/mcp-servers/$backendId',
        params: { backendId: server.backend_id },
      })),
    },
    {
      kind: 'gateway_apps',
      results: answer.gateway_apps.map(({ name }) => ({
        key: name,
        label: name,
        path: '/gateway/apps/$appName',
        params: { appName: name },
      })),
    },
    {
      kind: 'requests',
      results: answer.requests.map((request) => ({
        key: `${request.kind} ${request.id}`,
        label: `${searchTexts.requests[request.kind]} ${request.id}`,
        ...(request.user_email === null ? {} : { description: request.user_email }),
        path: request.kind === 'llm_request' ? '/activity/llm-requests' : '/activity/tool-calls',
        search: { row: request.id },
      })),
    },
  ];
}
