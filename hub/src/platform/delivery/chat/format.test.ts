// Every chat system receives its own payload, in which text of devices and people remains text.
import { CHAT_FORMATS, type ChatFormat } from '@gatewarden/shared/wire/chat-formats.ts';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { escapeMarkdown } from './escape.ts';
import { formatChat } from './format.ts';
import type { ChatMessage } from './message.ts';

const MESSAGE: ChatMessage = {
  title: 'HIGH alert, blocked',
  subject: 'R&D <tool>',
  lines: ['It was ended'],
  facts: [{ name: 'Device', value: 'laptop_1' }],
  link: { label: 'Open in console', url: 'https://hub.example.com/alerts?a=1&b=2' },
  incident: {
    dedupKey: 'gatewarden/t/d/a',
    action: 'trigger',
    severity: 'error',
    source: 'laptop_1',
    at: '2026-11-21T12:00:00.000Z',
  },
};
const KEY = 'R'.repeat(32);
const URL_TEXT = `https://hooks.example.com/x?routing_key=${KEY}`;

const format = (name: ChatFormat, message = MESSAGE) =>
  JSON.parse(formatChat(name, message, URL_TEXT).body);

const EXPECTED: Record<ChatFormat, object> = {
  teams: {
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
            {
              type: 'TextBlock',
              text: 'HIGH alert, blocked: R&D \\<tool\\>',
              wrap: true,
              size: 'Medium',
              weight: 'Bolder',
            },
            { type: 'TextBlock', text: 'It was ended', wrap: true },
            { type: 'FactSet', facts: [{ title: 'Device', value: 'laptop\\_1' }] },
          ],
          actions: [{ type: 'Action.OpenUrl', title: 'Open in console', url: MESSAGE.link?.url }],
        },
      },
    ],
  },
  slack: {
    text: 'HIGH alert, blocked: R&amp;D &lt;tool&gt;',
    mrkdwn: false,
    blocks: [
      {
        type: 'header',
        text: {
          type: 'plain_text',
          text: 'HIGH alert, blocked: R&amp;D &lt;tool&gt;',
          emoji: false,
        },
      },
      { type: 'section', text: { type: 'plain_text', text: 'It was ended', emoji: false } },
      {
        type: 'section',
        fields: [{ type: 'plain_text', text: 'Device: laptop_1', emoji: false }],
      },
      {
        type: 'section',
        text: {
          type: 'mrkdwn',
          text: '<https://hub.example.com/alerts?a=1&amp;b=2|Open in console>',
        },
      },
    ],
  },
  google_chat: {
    fallbackText: 'HIGH alert, blocked: R&D ‹tool›',
    cardsV2: [
      {
        cardId: 'gatewarden',
        card: {
          header: { title: 'HIGH alert, blocked' },
          sections: [
            {
              widgets: [
                { textParagraph: { text: '<b>R&amp;D &lt;tool&gt;</b>' } },
                { textParagraph: { text: 'It was ended' } },
                { decoratedText: { topLabel: 'Device', text: 'laptop_1', wrapText: true } },
                {
                  buttonList: {
                    buttons: [
                      {
                        text: 'Open in console',
                        onClick: { openLink: { url: MESSAGE.link?.url } },
                      },
                    ],
                  },
                },
              ],
            },
          ],
        },
      },
    ],
  },
  pagerduty: {
    routing_key: KEY,
    event_action: 'trigger',
    dedup_key: 'gatewarden/t/d/a',
    client: 'Gatewarden',
    client_url: MESSAGE.link?.url,
    links: [{ href: MESSAGE.link?.url, text: 'Open in console' }],
    payload: {
      summary: 'HIGH alert, blocked: R&D <tool>',
      source: 'laptop_1',
      severity: 'error',
      timestamp: '2026-11-21T12:00:00.000Z',
      custom_details: { message: 'It was ended', Device: 'laptop_1' },
    },
  },
  mattermost: {
    text: [
      '*HIGH alert, blocked:* `R&D ‹tool›`',
      '`It was ended`',
      'Device `laptop_1`',
      'Open in console: https://hub.example.com/alerts?a=1&b=2',
    ].join('\n'),
  },
};

test.each(CHAT_FORMATS)('builds the payload of %s', (name) => {
  expect(format(name)).toEqual(EXPECTED[name]);
});

it('sends the routing key to PagerDuty in the body only', () => {
  expect(formatChat('pagerduty', MESSAGE, URL_TEXT).url).toBe('https://hooks.example.com/x');
});

test.each([
  ['a_b*c', 'a\\_b\\*c'],
  ['[x](https://evil.example)', '\\[x\\](https://evil.example)'],
  ['# heading', '\\# heading'],
  ['- item', '\\- item'],
  ['1. item', '1\\. item'],
  ['laptop-1', 'laptop-1'],
  ['<at>all</at>', '\\<at\\>all\\</at\\>'],
])('escapes the Markdown of %s', (text, escaped) => {
  expect(escapeMarkdown(text)).toBe(escaped);
});

describe('text of devices and people', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('<!channel>', '<users/all>', '@here', '`*x*`', '[a](https://evil.example)', '‮'),
    fc.string({
      unit: fc.constantFrom('&', '<', '>', '`', '@', '[', '\\', '😀', '\n'),
      maxLength: 400,
    }),
  );
  const message = text.map(
    (value): ChatMessage => ({
      ...MESSAGE,
      subject: value,
      lines: [value, value],
      facts: [{ name: 'Device', value }],
      link: null,
      incident: { ...MESSAGE.incident, source: value },
    }),
  );

  /** All strings of a payload, with the type of the object that contains them. */
  function stringsIn(value: unknown): string[] {
    if (typeof value === 'string') return [value];
    return typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(stringsIn)
      : [];
  }

  const NOT_IN: Record<ChatFormat, RegExp> = {
    teams: /(?<!\\)(?:\\\\)*[[\]<>`*_|~]|\n/,
    slack: /[<>\n]|&(?!(?:amp|lt|gt);)/,
    google_chat: /<(?!\/?b>)|\n/,
    pagerduty: /\p{Cc}(?<!\n)/u,
    mattermost: /[<>@]/,
  };

  it.each(CHAT_FORMATS)('adds no markup to %s and stays within its limits', (name) => {
    fc.assert(
      fc.property(message, (value) => {
        const payload = format(name, value);
        for (const string of stringsIn(payload)) {
          expect(string.isWellFormed()).toBe(true);
          if (string !== 'http://adaptivecards.io/schemas/adaptive-card.json') {
            expect(string).not.toMatch(NOT_IN[name]);
          }
        }
        if (name === 'slack') expect(payload.blocks[0].text.text.length).toBeLessThanOrEqual(150);
        if (name === 'mattermost') expect(payload.text.split('`')).toHaveLength(9);
        if (name === 'pagerduty') expect(payload.payload.source).not.toBe('');
      }),
    );
  });
});
