// C/alert-routes: notification channels outside the console, and the state of each delivery.
import { type Static, Type } from 'typebox';
import { CHAT_FORMATS } from '../chat-formats.ts';
import { Instant, NameText, Nullable, OneOf, Uuid } from '../common.ts';
import { SEVERITIES } from '../vocabulary.ts';
import { ListAnswer, ListQuery } from './common.ts';

const strict = { additionalProperties: false };

/**
 * The types of notification channels. A new type also needs a schema below, send-message.ts and channel-rules.ts of
 * the hub's notification-channels, and notification-channels/kinds.ts of the console. Vendors of chat are in chat-formats.ts.
 */
export const CHANNEL_KINDS = ['webhook', 'email', 'chat'] as const;
export type ChannelKind = (typeof CHANNEL_KINDS)[number];
export const DELIVERY_STATES = ['pending', 'delivered', 'failed'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

const RouteName = NameText(120);
const TargetUrl = Type.String({
  description: 'a URL of at most 2048 characters',
  minLength: 1,
  maxLength: 2048,
});
const MailAddresses = Type.Array(
  Type.String({
    description: 'an e-mail address',
    maxLength: 254,
    pattern: '^[^\\s<>@,;"\\u0000-\\u001f]+@[^\\s<>@,;"\\u0000-\\u001f]+$',
  }),
  { minItems: 1, maxItems: 20, uniqueItems: true },
);

const common = {
  name: RouteName,
  /** The minimum severity; the default `low` includes all alerts. */
  min_severity: Type.Optional(OneOf(SEVERITIES)),
  /** The device group whose alerts are sent; null or absent: every device. */
  group_id: Type.Optional(Nullable(Uuid)),
  /**
   * The number of messages in a minute after which the remaining alerts of the minute are combined into a digest; null:
   * no digest. Default: 20, and null for a webhook.
   */
  digest_after: Type.Optional(Nullable(Type.Integer({ minimum: 1, maximum: 1000 }))),
  /** Whether access requests are sent, too, each once and regardless of severity. Default: alerts only. */
  access_requests: Type.Optional(Type.Boolean()),
  enabled: Type.Optional(Type.Boolean()),
};

const chosen = {
  /** An id that the client generates. A repeated id is `already_exists`, so that a retry creates no second channel. */
  route_id: Type.Optional(Uuid),
};

const chat = {
  /** The system that messages are formatted for; null or absent: derived from the URL, else `{text}`. */
  format: Type.Optional(Nullable(OneOf(CHAT_FORMATS))),
  /** PagerDuty's integration key, stored with the URL and never read back. */
  routing_key: Type.Optional(
    Type.String({
      description: 'PagerDuty’s integration key of 32 letters and digits',
      pattern: '^[A-Za-z0-9]{32}$',
      writeOnly: true,
    }),
  ),
};

export const NotificationChannelInput = Type.Union([
  Type.Object({ kind: Type.Literal('webhook'), ...chosen, ...common, url: TargetUrl }, strict),
  Type.Object(
    { kind: Type.Literal('chat'), ...chosen, ...common, ...chat, url: TargetUrl },
    strict,
  ),
  Type.Object({ kind: Type.Literal('email'), ...chosen, ...common, to: MailAddresses }, strict),
]);
export type NotificationChannelInput = Static<typeof NotificationChannelInput>;

/**
 * PATCH: an absent field is unchanged. `url` applies to webhook and chat channels, `format` and `routing_key` to chat
 * channels, `to` to e-mail channels. A new URL for PagerDuty requires its routing key again.
 */
export const NotificationChannelPatch = Type.Object(
  {
    ...common,
    ...chat,
    name: Type.Optional(RouteName),
    url: Type.Optional(TargetUrl),
    to: Type.Optional(MailAddresses),
  },
  strict,
);
export type NotificationChannelPatch = Static<typeof NotificationChannelPatch>;

/**
 * `untried`: no delivery was attempted. `ok`: the last attempt succeeded. `retrying`: the last attempt failed, more
 * follow. `failing`: at least one delivery was abandoned since the last success. `gone`: the target answered 410, so
 * the hub disabled the channel.
 */
export const CHANNEL_HEALTH = ['untried', 'ok', 'retrying', 'failing', 'gone'] as const;
export type ChannelHealth = (typeof CHANNEL_HEALTH)[number];

export const NotificationChannel = Type.Object({
  route_id: Uuid,
  /** The ETag verbatim, including its quotes: the value for `If-Match`. */
  version: Type.String(),
  kind: OneOf(CHANNEL_KINDS),
  /** The chat system, chosen or derived from the URL; null for other kinds, and if the URL cannot be decrypted. */
  format: Nullable(OneOf(CHAT_FORMATS)),
  name: Type.String(),
  /** Scheme, host and port. The rest of the URL is a secret and is never read back. Null for e-mail. */
  url_hint: Nullable(Type.String()),
  /** Recipients; null for webhook and chat. */
  to: Nullable(Type.Array(Type.String())),
  min_severity: OneOf(SEVERITIES),
  group_id: Nullable(Uuid),
  digest_after: Nullable(Type.Integer()),
  access_requests: Type.Boolean(),
  enabled: Type.Boolean(),
  health: Type.Object({
    state: OneOf(CHANNEL_HEALTH),
    /** When the first failure after the last success occurred; null while deliveries succeed. */
    failing_since: Nullable(Type.String()),
    last_attempt_at: Nullable(Type.String()),
    last_delivered_at: Nullable(Type.String()),
    last_status: Nullable(Type.Integer()),
    last_error: Nullable(Type.String()),
  }),
  /** Messages carry a second signature with the previous secret until this time; null without a running rotation. */
  previous_secret_until: Nullable(Type.String()),
  created_at: Type.String(),
  created_by: Type.String(),
  updated_at: Type.String(),
  updated_by: Type.String(),
});
export type NotificationChannel = Static<typeof NotificationChannel>;

export const NotificationChannelsQuery = Type.Object(ListQuery, strict);
export const NotificationChannelsAnswer = ListAnswer(NotificationChannel);

export const NotificationChannelAnswer = Type.Object({
  route: NotificationChannel,
  request_id: Type.String(),
});
export type NotificationChannelAnswer = Static<typeof NotificationChannelAnswer>;

/** The only responses with the signing secret; null for channels without signatures. */
export const NotificationChannelSecretAnswer = Type.Object({
  route: NotificationChannel,
  secret: Nullable(Type.String()),
  request_id: Type.String(),
});
export type NotificationChannelSecretAnswer = Static<typeof NotificationChannelSecretAnswer>;

/** Default: 24 hours. 0 invalidates the previous secret at once. */
export const RotateSecretInput = Type.Object(
  {
    overlap_hours: Type.Optional(Type.Integer({ minimum: 0, maximum: 168 })),
    /** An id that the client generates. A repetition within a day is the same rotation and returns the same secret. */
    rotation_id: Type.Optional(Uuid),
  },
  strict,
);

export const NotificationChannelDeletedAnswer = Type.Object({
  route_id: Uuid,
  deleted: Type.Literal(true),
  request_id: Type.String(),
});

export const NotificationDelivery = Type.Object({
  /** The delivery id; `webhook-id` is the same id with the prefix `msg_`. */
  delivery_id: Uuid,
  is_test: Type.Boolean(),
  /** For a test delivery: the text that the receiver displays. Null for every other delivery. */
  test_note: Nullable(Type.String()),
  /** Null for a test, a digest and an access request. */
  alert_id: Nullable(Uuid),
  /** The access request that the delivery reports, or null. */
  access_request_id: Nullable(Uuid),
  device_id: Nullable(Uuid),
  /** The severity of the alert; null for every other delivery. */
  severity: Nullable(OneOf(SEVERITIES)),
  /** The number of alerts in a digest; null for every other delivery. */
  digest_alerts: Nullable(Type.Integer()),
  /** The digest that contains this alert; the alert shares its delivery state. */
  digest_id: Nullable(Uuid),
  state: OneOf(DELIVERY_STATES),
  attempts: Type.Integer(),
  last_status: Nullable(Type.Integer()),
  last_error: Nullable(Type.String()),
  created_at: Type.String(),
  last_attempt_at: Nullable(Type.String()),
  /** Null after the delivery succeeded or was abandoned. */
  next_attempt_at: Nullable(Type.String()),
  delivered_at: Nullable(Type.String()),
});
export type NotificationDelivery = Static<typeof NotificationDelivery>;

export const NotificationDeliveriesQuery = Type.Object(
  { ...ListQuery, state: Type.Optional(OneOf(DELIVERY_STATES)) },
  strict,
);
export const NotificationDeliveriesAnswer = ListAnswer(NotificationDelivery);

export const NotificationDeliveryAnswer = Type.Object({
  delivery: NotificationDelivery,
  request_id: Type.String(),
});
export type NotificationDeliveryAnswer = Static<typeof NotificationDeliveryAnswer>;

/** C/alert-routes/{id}/replay: deliveries created from `from` (inclusive) until `to` (exclusive). */
export const NotificationReplayInput = Type.Object(
  {
    from: Instant,
    to: Instant,
    /**
     * Whether successful deliveries are repeated, too, for a receiver that lost them. Default: only abandoned
     * deliveries.
     */
    delivered: Type.Optional(Type.Boolean()),
  },
  strict,
);
export const NotificationReplayAnswer = Type.Object({
  replayed: Type.Integer(),
  /** The value of `from` for the next request, if this request reached its limit. */
  more_from: Nullable(Type.String()),
  request_id: Type.String(),
});
export type NotificationReplayAnswer = Static<typeof NotificationReplayAnswer>;
