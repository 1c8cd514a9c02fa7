// The chat and on-call systems that notifications are formatted for, and how a URL names its system. Shared by the hub,
// which formats messages, and the console, which shows the choice.

export const CHAT_FORMATS = ['teams', 'slack', 'google_chat', 'pagerduty', 'mattermost'] as const;
export type ChatFormat = (typeof CHAT_FORMATS)[number];

/** Incoming webhooks by their vendors' published URLs; the first row that matches decides. */
const URL_PATTERNS: readonly { format: ChatFormat; host?: RegExp; path: RegExp }[] = [
  { format: 'slack', host: /^hooks\.slack(?:-gov)?\.com$/, path: /./ },
  { format: 'google_chat', host: /^chat\.googleapis\.com$/, path: /./ },
  { format: 'pagerduty', host: /^events\.(?:eu\.)?pagerduty\.com$/, path: /./ },
  // Connectors of Microsoft 365, which Workflows replaced.
  { format: 'teams', host: /(?:^|\.)webhook\.office\.com$/, path: /./ },
  {
    format: 'teams',
    host: /(?:^|\.)(?:logic\.azure\.(?:com|us|cn)|api\.(?:gov\.)?powerplatform\.(?:com|us|cn))$/,
    path: /./,
  },
  // The same services behind a proxy or in a cloud of their own.
  { format: 'teams', path: /\/workflows\/[^/]+\/triggers\/[^/]+\/paths\/invoke$/ },
  { format: 'slack', path: /^\/services\/T\w+\/B\w+\/\w+$/ },
  { format: 'google_chat', path: /^\/v1\/spaces\/[^/]+\/messages$/ },
  { format: 'pagerduty', path: /^\/v2\/enqueue$/ },
];

/** Returns the format that the URL's host or path names; `{text}`, as Mattermost and others take it, for any other URL. */
export function deriveChatFormat(url: URL): ChatFormat {
  const host = url.hostname.toLowerCase();
  const match = URL_PATTERNS.find(
    (pattern) => (pattern.host?.test(host) ?? true) && pattern.path.test(url.pathname),
  );
  return match?.format ?? 'mattermost';
}
