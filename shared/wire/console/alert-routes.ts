// C/alert-routes: whom alerts reach outside the console, and what became of each delivery.
import { type Static, Type } from 'typebox';
import { CHAT_FORMATS } from '../chat-formats.ts';
import { Instant, NameText, Nullable, OneOf, Uuid } from '../common.ts';
import { SEVERITIES } from '../vocabulary.ts';
import { ListAnswer, ListQuery } from './common.ts';

const strict = { additionalProperties: false };

export const ROUTE_KINDS = ['webhook', 'email', 'chat'] as const;
export type RouteKind = (typeof ROUTE_KINDS)[number];
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
  /** Alerts of this severity and worse; left out: `low`, which is all of them. */
  min_severity: Type.Optional(OneOf(SEVERITIES)),
  /** Only alerts of devices in this group; null or left out: of every device. */
  group_id: Type.Optional(Nullable(Uuid)),
  /**
   * So many messages in a minute, the rest of the minute's alerts in one message that counts and lists them; null: each
   * alert by itself. Left out: 20, and null for a webhook.
   */
  digest_after: Type.Optional(Nullable(Type.Integer({ minimum: 1, maximum: 1000 }))),
  /** Also what people ask for, each request once, whatever the severity; left out: alerts only. */
  access_requests: Type.Optional(Type.Boolean()),
  enabled: Type.Optional(Type.Boolean()),
};

const chosen = {
  /** Its maker's own choice: sent again, it is `already_exists` and not made twice. */
  route_id: Type.Optional(Uuid),
};

const chat = {
  /** The system that messages are formatted for; null or left out: the one that the URL names, else `{text}`. */
  format: Type.Optional(Nullable(OneOf(CHAT_FORMATS))),
  /** PagerDuty's integration key: stored with the URL and never read back. */
  routing_key: Type.Optional(
    Type.String({
      description: 'PagerDuty’s integration key of 32 letters and digits',
      pattern: '^[A-Za-z0-9]{32}$',
      writeOnly: true,
    }),
  ),
};

export const AlertRouteInput = Type.Union([
  Type.Object({ kind: Type.Literal('webhook'), ...chosen, ...common, url: TargetUrl }, strict),
  Type.Object(
    { kind: Type.Literal('chat'), ...chosen, ...common, ...chat, url: TargetUrl },
    strict,
  ),
  Type.Object({ kind: Type.Literal('email'), ...chosen, ...common, to: MailAddresses }, strict),
]);
export type AlertRouteInput = Static<typeof AlertRouteInput>;

/**
 * PATCH: what is left out stays. `url` is of webhook and chat routes, `format` and `routing_key` of chat routes, `to` of
 * e-mail routes. A new URL for PagerDuty needs its routing key again.
 */
export const AlertRoutePatch = Type.Object(
  {
    ...common,
    ...chat,
    name: Type.Optional(RouteName),
    url: Type.Optional(TargetUrl),
    to: Type.Optional(MailAddresses),
  },
  strict,
);
export type AlertRoutePatch = Static<typeof AlertRoutePatch>;

/**
 * `untried`: nothing was sent yet. `ok`: the last attempt arrived. `retrying`: the last attempt failed, more follow.
 * `failing`: at least one alert was given up since something last arrived. `gone`: the target said 410, so the hub
 * disabled the route.
 */
export const ROUTE_HEALTH = ['untried', 'ok', 'retrying', 'failing', 'gone'] as const;
export type RouteHealth = (typeof ROUTE_HEALTH)[number];

export const AlertRoute = Type.Object({
  route_id: Uuid,
  /** The ETag verbatim, with its quotes: what `If-Match` takes. */
  version: Type.String(),
  kind: OneOf(ROUTE_KINDS),
  /** Of a chat route, chosen or named by its URL; null for other kinds, and where the URL cannot be opened. */
  format: Nullable(OneOf(CHAT_FORMATS)),
  name: Type.String(),
  /** Scheme, host and port: the rest of the URL is a secret and is never read back. Null for e-mail. */
  url_hint: Nullable(Type.String()),
  /** Null for webhook and chat. */
  to: Nullable(Type.Array(Type.String())),
  min_severity: OneOf(SEVERITIES),
  group_id: Nullable(Uuid),
  digest_after: Nullable(Type.Integer()),
  access_requests: Type.Boolean(),
  enabled: Type.Boolean(),
  health: Type.Object({
    state: OneOf(ROUTE_HEALTH),
    /** Since when nothing arrives; null while it does. */
    failing_since: Nullable(Type.String()),
    last_attempt_at: Nullable(Type.String()),
    last_delivered_at: Nullable(Type.String()),
    last_status: Nullable(Type.Integer()),
    last_error: Nullable(Type.String()),
  }),
  /** Until then each message is signed with the previous secret too; null without a running rotation. */
  previous_secret_until: Nullable(Type.String()),
  created_at: Type.String(),
  created_by: Type.String(),
  updated_at: Type.String(),
  updated_by: Type.String(),
});
export type AlertRoute = Static<typeof AlertRoute>;

export const AlertRoutesQuery = Type.Object(ListQuery, strict);
export const AlertRoutesAnswer = ListAnswer(AlertRoute);

export const AlertRouteAnswer = Type.Object({ route: AlertRoute, request_id: Type.String() });
export type AlertRouteAnswer = Static<typeof AlertRouteAnswer>;

/** The only answers that hold the signing secret; null for routes that sign nothing. */
export const AlertRouteSecretAnswer = Type.Object({
  route: AlertRoute,
  secret: Nullable(Type.String()),
  request_id: Type.String(),
});
export type AlertRouteSecretAnswer = Static<typeof AlertRouteSecretAnswer>;

/** Left out: 24 hours. 0 ends the previous secret at once. */
export const RotateSecretInput = Type.Object(
  {
    overlap_hours: Type.Optional(Type.Integer({ minimum: 0, maximum: 168 })),
    /** The maker's own: sent again within a day, it is the same rotation, and its secret is answered again. */
    rotation_id: Type.Optional(Uuid),
  },
  strict,
);

export const AlertRouteDeletedAnswer = Type.Object({
  route_id: Uuid,
  deleted: Type.Literal(true),
  request_id: Type.String(),
});

export const AlertDelivery = Type.Object({
  /** Also the `webhook-id`, with `msg_` before it. */
  delivery_id: Uuid,
  is_test: Type.Boolean(),
  /** Of a test: what the receiver shows, and what its answer proves. Null for everything else. */
  test_note: Nullable(Type.String()),
  /** Null for a test, a digest and a request. */
  alert_id: Nullable(Uuid),
  /** Set: it tells of a request for an exception. */
  access_request_id: Nullable(Uuid),
  device_id: Nullable(Uuid),
  /** Of the alert; null for everything else. */
  severity: Nullable(OneOf(SEVERITIES)),
  /** Set: it is a digest, of so many alerts. */
  digest_alerts: Nullable(Type.Integer()),
  /** The digest that tells of this alert: what becomes of that becomes of it. */
  digest_id: Nullable(Uuid),
  state: OneOf(DELIVERY_STATES),
  attempts: Type.Integer(),
  last_status: Nullable(Type.Integer()),
  last_error: Nullable(Type.String()),
  created_at: Type.String(),
  last_attempt_at: Nullable(Type.String()),
  /** Null once it is delivered or failed. */
  next_attempt_at: Nullable(Type.String()),
  delivered_at: Nullable(Type.String()),
});
export type AlertDelivery = Static<typeof AlertDelivery>;

export const AlertDeliveriesQuery = Type.Object(
  { ...ListQuery, state: Type.Optional(OneOf(DELIVERY_STATES)) },
  strict,
);
export const AlertDeliveriesAnswer = ListAnswer(AlertDelivery);

export const AlertDeliveryAnswer = Type.Object({
  delivery: AlertDelivery,
  request_id: Type.String(),
});
export type AlertDeliveryAnswer = Static<typeof AlertDeliveryAnswer>;

/** C/alert-routes/{id}/replay: of what was made from this time on, and before that one. */
export const AlertReplayInput = Type.Object(
  {
    from: Instant,
    to: Instant,
    /** Also what arrived: a receiver that lost it. Left out: only what was given up. */
    delivered: Type.Optional(Type.Boolean()),
  },
  strict,
);
export const AlertReplayAnswer = Type.Object({
  replayed: Type.Integer(),
  /** Where there are more than one request takes: `from` of the next one. */
  more_from: Nullable(Type.String()),
  request_id: Type.String(),
});
export type AlertReplayAnswer = Static<typeof AlertReplayAnswer>;
