// Published formats of an incoming webhook's URL identify its chat system; any other URL gets `{text}`.
import { expect, it } from 'vitest';
import { deriveChatFormat } from './chat-formats.ts';

it.each([
  [
    'https://prod-12.westeurope.logic.azure.com:443/workflows/0a1b/triggers/manual/paths/invoke?api-version=2016-06-01&sig=x',
    'teams',
  ],
  [
    'https://defaulte0.1f.environment.api.powerplatform.com:443/powerautomate/automations/direct/workflows/9c/triggers/manual/paths/invoke?api-version=1&sig=x',
    'teams',
  ],
  ['https://prod-01.usgovtexas.logic.azure.us/workflows/0a/triggers/manual/paths/invoke', 'teams'],
  ['https://contoso.webhook.office.com/webhookb2/0a@0b/IncomingWebhook/1/2', 'teams'],
  ['https://relay.example.com/teams/workflows/0a/triggers/manual/paths/invoke', 'teams'],
  ['https://hooks.slack.com/services/T000/B000/abc', 'slack'],
  ['https://hooks.slack-gov.com/services/T000/B000/abc', 'slack'],
  ['https://HOOKS.SLACK.COM/services/T000/B000/abc', 'slack'],
  ['https://relay.example.com/services/T000/B000/abc', 'slack'],
  ['https://chat.googleapis.com/v1/spaces/AAA/messages?key=k&token=t', 'google_chat'],
  ['https://relay.example.com/v1/spaces/AAA/messages', 'google_chat'],
  ['https://events.pagerduty.com/v2/enqueue', 'pagerduty'],
  ['https://events.eu.pagerduty.com/v2/enqueue', 'pagerduty'],
  ['https://relay.example.com/v2/enqueue', 'pagerduty'],
  ['https://mattermost.example.com/hooks/abc', 'mattermost'],
  ['https://example.com/hooks.slack.com', 'mattermost'],
  ['https://hooks.slack.com.example.com/x', 'mattermost'],
  ['https://notlogic.azure.com.example.org/x', 'mattermost'],
])('derives the format of %s: %s', (url, format) => {
  expect(deriveChatFormat(new URL(url))).toBe(format);
});
