// The words of a test's result: what the receiver shows, and what its answer proves. Pure.
import type { ChatFormat } from '@gatewarden/shared/wire/chat-formats.ts';
import type { RouteKind } from '@gatewarden/shared/wire/console/alert-routes.ts';

const HEADLINE = '“Test alert: test”';
const LOOK = 'An answer of 202 does not prove delivery: look for the message there.';

const CHAT_NOTES: Record<ChatFormat, string> = {
  teams: `Microsoft Teams shows a card with the title ${HEADLINE} in the chat or channel of the workflow. Teams answers 202 before it validates a card. ${LOOK}`,
  slack: `Slack shows a message with the header ${HEADLINE} in the channel of the webhook. ${LOOK}`,
  google_chat: `Google Chat shows a card with the header “Test alert” in the space of the webhook. ${LOOK}`,
  pagerduty: `PagerDuty opens an alert of severity info with the summary ${HEADLINE} in the service of the integration. PagerDuty answers 202 when it has queued an event. ${LOOK}`,
  mattermost: `The channel of the webhook shows a message that begins with ${HEADLINE}. ${LOOK}`,
};

/** `format` is null where the URL of a chat route cannot be opened: nothing is sent then. */
export function testNoteOf(kind: RouteKind, format: ChatFormat | null): string {
  if (kind === 'webhook') {
    return 'The receiver gets a signed JSON message of type alert.test. Any 2xx answer counts as delivered, whatever the receiver does with it.';
  }
  if (kind === 'email') {
    return `The recipients get a mail with the subject “[Gatewarden] Test alert: test”. The mail server's acceptance does not prove delivery.`;
  }
  return format === null
    ? 'The stored URL cannot be opened, so nothing is sent.'
    : CHAT_NOTES[format];
}
