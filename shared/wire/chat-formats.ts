// Lists the chat and on-call systems that notifications are formatted for, and derives the system from a webhook's URL.
// The hub formats messages with this list, and the console shows the choice.

export const CHAT_FORMATS = ['teams', 'slack', 'google_chat', 'pagerduty', 'mattermost'] as const;
export type ChatFormat = (typeof CHAT_FORMATS)[number];

/** Vendors publish these URL patterns of incoming webhooks; the first row that matches decides. */
const URL_PATTERNS: readonly { format: ChatFormat; host?: RegExp; path: RegExp }[] = [
  { format: 'slack', host: /^hooks\.slack(?:-gov)?\.com$/, path: /./ },
  { format: 'google_chat', host: /^chat\.googleapis\.com$/, path: /./ },
  { format: 'pagerduty', host: /^events\.(?:eu\.)?pagerduty\.com$/, path: /./ },
  // Workflows replaced the connectors of Microsoft 365, whose URLs still work.
  { format: 'teams', host: /(?:^|\.)webhook\.office\.com$/, path: /./ },
  {
    format: 'teams',
    host: /(?:^|\.)(?:logic\.azure\.(?:com|us|cn)|api\.(?:gov\.)?powerplatform\.(?:com|us|cn))$/,
    path: /./,
  },
  // These rows match the same services behind a proxy or in a private cloud.
  { format: 'teams', path: /\/workflows\/[^/]+\/triggers\/[^/]+\/paths\/invoke$/ },
  { format: 'slack', path: /^\/services\/T\w+\/B\w+\/\w+$/ },
  { format: 'google_chat', path: /^\/v1\/spaces\/[^/]+\/messages$/ },
  { format: 'pagerduty', path: /^\/v2\/enqueue$/ },
];

/**
 * Returns the chat format that the URL's host or path identifies; returns `{text}`, the format of Mattermost, for any
 * other URL.
 */
export function deriveChatFormat(url: URL): ChatFormat {
  const host = url.hostname.toLowerCase();
  const match = URL_PATTERNS.find(
    (pattern) => (pattern.host?.test(host) ?? true) && pattern.path.test(url.pathname),
  );
  return match?.format ?? 'mattermost';
}
