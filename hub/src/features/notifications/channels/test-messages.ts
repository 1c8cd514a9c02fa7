// Texts about tests: the message that the receiver displays, and the meaning of its response. Pure.
import type { ChatFormat } from '@gatewarden/shared/wire/chat-formats.ts';
import type { ChannelKind } from '@gatewarden/shared/wire/console/notification-channels.ts';

const HEADLINE = '“Test alert: test”';
const LOOK = "A 202 response doesn't confirm delivery. Check that the message arrived.";

const CHAT_NOTES: Record<ChatFormat, string> = {
  teams: `Microsoft Teams shows a card with the title ${HEADLINE} in the chat or channel of the workflow. Teams answers 202 before it validates a card. ${LOOK}`,
  slack: `Slack shows a message with the header ${HEADLINE} in the channel of the webhook. ${LOOK}`,
  google_chat: `Google Chat shows a card with the header “Test alert” in the space of the webhook. ${LOOK}`,
  pagerduty: `PagerDuty opens an alert of severity info with the summary ${HEADLINE} in the service of the integration. PagerDuty answers 202 when it has queued an event. ${LOOK}`,
  mattermost: `The channel of the webhook shows a message that begins with ${HEADLINE}. ${LOOK}`,
};

/** Returns the text about a test. `format` is null if the URL of a chat channel cannot be decrypted. */
export function describeTest(kind: ChannelKind, format: ChatFormat | null): string {
  if (kind === 'webhook') {
    return 'The receiver gets a signed JSON message of type alert.test. Any 2xx response counts as delivered.';
  }
  if (kind === 'email') {
    return `The recipients get an e-mail with the subject “[Gatewarden] Test alert: test”. Acceptance by the mail server doesn't confirm delivery.`;
  }
  return format === null
    ? "The stored URL can't be decrypted, so nothing is sent."
    : CHAT_NOTES[format];
}
