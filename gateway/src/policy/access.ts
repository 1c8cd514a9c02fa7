// Decides whether a request may come from this address, from this person, and without a conversation id.
import ipaddr from 'ipaddr.js';
import type { AccessSettings } from './settings.ts';
import type { CallerIdentity, LlmCall, Verdict } from './types.ts';
import { PASS, refuse } from './verdicts.ts';

/**
 * Rejects with 403 an address that no item of `allowed_source_ips` contains. An empty list, null and
 * `enabled: false` allow every address; `enabled: true` with an empty list allows none.
 */
export function checkSourceAddress(access: AccessSettings, clientIp: string): Verdict {
  const networks = allowedNetworks(access.allowed_source_ips);
  if (networks === null || isInNetworks(clientIp, parseNetworks(networks))) return PASS;
  return refuse(
    403,
    'source_address_denied',
    'This address may not call this app. Call from an allowed network, or ask an administrator to add it.',
  );
}

function allowedNetworks(setting: AccessSettings['allowed_source_ips']): readonly string[] | null {
  if (setting === undefined || setting === null) return null;
  if ('ips' in setting || 'enabled' in setting) {
    const ips = setting.ips ?? [];
    return setting.enabled === false || (setting.enabled === undefined && ips.length === 0)
      ? null
      : ips;
  }
  const list = setting as readonly string[];
  return list.length === 0 ? null : list;
}

function isInNetworks(clientIp: string, networks: readonly Network[]): boolean {
  if (!ipaddr.isValid(clientIp)) return false;
  const address = ipaddr.process(clientIp);
  return networks.some(
    ([network, prefix]) => network.kind() === address.kind() && address.match(network, prefix),
  );
}

type Network = readonly [ipaddr.IPv4 | ipaddr.IPv6, number];
const parsedLists = new WeakMap<readonly string[], readonly Network[]>();

/** Returns the networks of a list, parsed once for a snapshot. Invalid items contain no address. */
function parseNetworks(list: readonly string[]): readonly Network[] {
  let networks = parsedLists.get(list);
  if (networks === undefined) {
    networks = list.map(parseNetwork).filter((network) => network !== null);
    parsedLists.set(list, networks);
  }
  return networks;
}

function parseNetwork(text: string): Network | null {
  const [base = '', bits] = text.split('/');
  if (!ipaddr.isValid(base)) return null;
  const parsed = ipaddr.parse(base);
  // An IPv4 network in IPv6 notation (::ffff:10.0.0.0/104) counts its bits from the IPv6 prefix.
  const isMapped = parsed.kind() === 'ipv6' && (parsed as ipaddr.IPv6).isIPv4MappedAddress();
  const address = isMapped ? (parsed as ipaddr.IPv6).toIPv4Address() : parsed;
  const full = address.kind() === 'ipv4' ? 32 : 128;
  const prefix = bits === undefined ? full : Number(bits) - (isMapped ? 96 : 0);
  return Number.isInteger(prefix) && prefix >= 0 && prefix <= full ? [address, prefix] : null;
}

/**
 * Rejects with 401 a caller without identity where `enforce_identity` or a list of users requires one, and with 403 a
 * caller that neither `allowed_user_emails` nor `allowed_user_domains` contains. Both lists empty allow everybody.
 */
export function checkCaller(access: AccessSettings, caller: CallerIdentity): Verdict {
  const emails = access.allowed_user_emails ?? [];
  const domains = access.allowed_user_domains ?? [];
  const isRestricted = emails.length > 0 || domains.length > 0;
  const isUnknown = caller.email === null && caller.subject === null;
  if (isUnknown && (access.enforce_identity === true || isRestricted)) {
    return refuse(
      401,
      'identity_required',
      'This app requires the identity of the user. Send it in an identity header.',
    );
  }
  if (!isRestricted) return PASS;
  const email = caller.email?.toLowerCase() ?? '';
  const domain = email.slice(email.lastIndexOf('@') + 1);
  const isAllowed =
    email !== '' &&
    (emails.some((allowed) => allowed.trim().toLowerCase() === email) ||
      domains.some((allowed) => allowed.trim().toLowerCase().replace(/^@/, '') === domain));
  if (isAllowed) return PASS;
  return refuse(
    403,
    'user_not_allowed',
    'This user may not call this app. Ask an administrator to add the user or the domain.',
  );
}

/** Returns the trimmed `X-Conversation-Id`, or null. */
export function readConversationId(call: Pick<LlmCall, 'headers'>): string | null {
  return call.headers['x-conversation-id']?.trim() || null;
}

/** Rejects with 400 a request without `X-Conversation-Id` where `enforce_conversation_id` is set. */
export function checkConversationId(
  access: AccessSettings,
  call: Pick<LlmCall, 'headers'>,
): Verdict {
  if (access.enforce_conversation_id !== true || readConversationId(call) !== null) return PASS;
  return refuse(
    400,
    'conversation_id_required',
    'This app requires a conversation id. Send it in the X-Conversation-Id header.',
  );
}
