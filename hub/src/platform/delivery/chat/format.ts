// Formats a notification for the chat or on-call system that receives it. Pure; a formatter per system.
import type { ChatFormat } from '@gatewarden/shared/wire/chat-formats.ts';
import { toSingleLine } from '../single-line.ts';
import {
  codeSpan,
  escapeEntities,
  escapeHtml,
  escapeMarkdown,
  escapeSlack,
  escapeWithin,
  replaceMarkup,
} from './escape.ts';
import { type ChatMessage, headlineOf } from './message.ts';

/** A request to the receiver: `url` without what only the body may contain. */
export interface ChatRequest {
  url: string;
  body: string;
}

/** The query parameter by which a stored URL carries PagerDuty's integration key. */
export const ROUTING_KEY = 'routing_key';

export function formatChat(format: ChatFormat, message: ChatMessage, url: string): ChatRequest {
  if (format !== 'pagerduty') return { url, body: JSON.stringify(FORMATTERS[format](message)) };
  const target = new URL(url);
  const routingKey = target.searchParams.get(ROUTING_KEY) ?? '';
  target.searchParams.delete(ROUTING_KEY);
  return { url: target.href, body: JSON.stringify(formatPagerDuty(message, routingKey)) };
}

const FORMATTERS: Record<Exclude<ChatFormat, 'pagerduty'>, (message: ChatMessage) => object> = {
  teams: formatTeams,
  slack: formatSlack,
  google_chat: formatGoogleChat,
  mattermost: formatText,
};

/** Microsoft Teams Workflows: "Post to a channel when a webhook request is received" takes Adaptive Cards up to 1.4. */
function formatTeams(message: ChatMessage): object {
  const text = (line: string, over: object = {}) => ({
    ...{ type: 'TextBlock', text: escapeMarkdown(line), wrap: true },
    ...over,
  });
  const facts = message.facts.map(({ name, value }) => ({
    title: escapeMarkdown(name),
    value: escapeMarkdown(value),
  }));
  const { link } = message;
  return {
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        contentUrl: null,
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          msteams: { width: 'Full' },
          body: [
            text(headlineOf(message), { size: 'Medium', weight: 'Bolder' }),
            ...message.lines.map((line) => text(line)),
            ...(facts.length === 0 ? [] : [{ type: 'FactSet', facts }]),
          ],
          ...(link === null
            ? {}
            : { actions: [{ type: 'Action.OpenUrl', title: link.label, url: link.url }] }),
        },
      },
    ],
  };
}

/** Slack's limits: 150 characters in a header, 3,000 in a section, 2,000 in a field, 10 fields. */
function formatSlack(message: ChatMessage): object {
  const plain = (text: string, longest: number) => ({
    type: 'plain_text',
    text: escapeWithin(text, longest, escapeSlack),
    emoji: false,
  });
  const { link } = message;
  const fields = message.facts
    .slice(0, 10)
    .map(({ name, value }) => plain(`${name}: ${value}`, 2_000));
  return {
    // Notifications and clients without blocks show the text.
    text: escapeWithin(headlineOf(message), 3_000, escapeSlack),
    mrkdwn: false,
    blocks: [
      { type: 'header', text: plain(headlineOf(message), 150) },
      ...message.lines.map((line) => ({ type: 'section', text: plain(line, 3_000) })),
      ...(fields.length === 0 ? [] : [{ type: 'section', fields }]),
      ...(link === null
        ? []
        : [
            {
              type: 'section',
              text: {
                type: 'mrkdwn',
                text: `<${escapeEntities(link.url)}|${escapeSlack(link.label)}>`,
              },
            },
          ]),
    ],
  };
}

/** Google Chat: a card, with `fallbackText` for notifications. */
function formatGoogleChat(message: ChatMessage): object {
  const { link } = message;
  const widgets = [
    ...(message.subject === null
      ? []
      : [{ textParagraph: { text: `<b>${escapeHtml(message.subject)}</b>` } }]),
    ...message.lines.map((line) => ({ textParagraph: { text: escapeHtml(line) } })),
    ...message.facts.map(({ name, value }) => ({
      decoratedText: { topLabel: escapeHtml(name), text: escapeHtml(value), wrapText: true },
    })),
    ...(link === null
      ? []
      : [
          {
            buttonList: {
              buttons: [{ text: escapeHtml(link.label), onClick: { openLink: { url: link.url } } }],
            },
          },
        ]),
  ];
  return {
    fallbackText: replaceMarkup(headlineOf(message)),
    cardsV2: [
      {
        cardId: 'gatewarden',
        card: {
          header: { title: message.title },
          ...(widgets.length === 0 ? {} : { sections: [{ widgets }] }),
        },
      },
    ],
  };
}

/** `{text}` in Markdown, as Mattermost, Rocket.Chat and others take it. */
function formatText(message: ChatMessage): object {
  const { title, subject, link } = message;
  const facts = message.facts.map(({ name, value }) => `${name} ${codeSpan(value)}`).join(', ');
  return {
    text: [
      subject === null ? `*${title}*` : `*${title}:* ${codeSpan(subject)}`,
      ...message.lines.map(codeSpan),
      ...(facts === '' ? [] : [facts]),
      ...(link === null ? [] : [`${link.label}: ${link.url}`]),
    ].join('\n'),
  };
}

/** PagerDuty Events API v2. `summary` has at most 1,024 characters, `dedup_key` 255. */
function formatPagerDuty(message: ChatMessage, routingKey: string): object {
  const { incident, link } = message;
  return {
    routing_key: routingKey,
    event_action: incident.action,
    dedup_key: incident.dedupKey.slice(0, 255),
    client: 'Gatewarden',
    ...(link === null
      ? {}
      : { client_url: link.url, links: [{ href: link.url, text: link.label }] }),
    payload: {
      summary: escapeWithin(headlineOf(message), 1_024, toSingleLine),
      source: toSingleLine(incident.source) || 'gatewarden',
      severity: incident.severity,
      timestamp: incident.at,
      custom_details: {
        ...(message.lines.length === 0
          ? {}
          : { message: message.lines.map((line) => toSingleLine(line)).join('\n') }),
        ...Object.fromEntries(message.facts.map(({ name, value }) => [name, toSingleLine(value)])),
      },
    },
  };
}
