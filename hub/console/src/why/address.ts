// The opened trace in the address: `?why=decision.<id>`, with the device for traces of a device. Pure.
import type { PageTopic } from '@gatewarden/shared/wire/console/events.ts';
import { withQuery } from '../api/query-string.ts';

export interface Chain {
  /** The kind of the trace, which selects the response schema. */
  about: 'decision' | 'call' | 'own-call' | 'request' | 'own-request';
  topic: PageTopic;
  /** The hub's path of the trace. */
  path: string;
}

type IdText = `${string}-${string}-${string}-${string}-${string}`;

/** `<kind>.<id>`, or `<kind>.<id>.<device_id>`; an LLM request's id may be any text. */
export type WhyAddress =
  | `decision.${string}`
  | `call.${number}`
  | `own-call.${number}`
  | `request.${string}`
  | `own-request.${string}`
  | `${Exclude<Kind, 'decision'>}.${string}.${string}`;

const CHAINS = {
  decision: (id: IdText) => ({ topic: 'overrides', path: `/overrides/${id}/why` }),
  activity: (id: IdText, device: IdText) => ({
    topic: 'activity',
    path: `/activity/${id}/why?device_id=${device}`,
  }),
  alert: (id: IdText, device: IdText) => ({
    topic: 'alerts',
    path: `/alerts/${id}/why?device_id=${device}`,
  }),
  'own-decision': (id: IdText, device: IdText) => ({
    topic: 'overrides',
    path: `/own/devices/${device}/decisions/${id}/why`,
  }),
  'own-activity': (id: IdText, device: IdText) => ({
    topic: 'activity',
    path: `/own/devices/${device}/activity/${id}/why`,
  }),
} satisfies Record<string, (id: IdText, device: IdText) => Omit<Chain, 'about'>>;

type Kind = keyof typeof CHAINS;

/** Returns null for a text that names no trace. */
export function chainAt(address: string): Chain | null {
  const request = /^request\.(.+)$/s.exec(address)?.[1];
  if (request !== undefined) {
    const path = withQuery('/llm/requests/why', { request_id: request });
    return { about: 'request', topic: 'gateway', path };
  }
  const ownRequest = /^own-request\.(.+)$/s.exec(address)?.[1];
  if (ownRequest !== undefined) {
    const path = withQuery('/own/llm-requests/why', { request_id: ownRequest });
    return { about: 'own-request', topic: 'llm-requests', path };
  }
  const call = /^call\.([0-9]{1,18})$/.exec(address)?.[1];
  if (call !== undefined) {
    return { about: 'call', topic: 'mcp', path: `/mcp/tool-calls/${call}/why` };
  }
  const ownCall = /^own-call\.([0-9]{1,18})$/.exec(address)?.[1];
  if (ownCall !== undefined) {
    return { about: 'own-call', topic: 'mcp', path: `/own/mcp-calls/${ownCall}/why` };
  }
  const [kind = '', id = '', device, ...more] = address.split('.');
  if (!isKind(kind) || !isId(id) || more.length > 0) return null;
  const about = 'decision';
  if (kind === 'decision') return device === undefined ? { about, ...CHAINS[kind](id) } : null;
  return device !== undefined && isId(device) ? { about, ...CHAINS[kind](id, device) } : null;
}

const isKind = (text: string): text is Kind => Object.hasOwn(CHAINS, text);

const isId = (text: string): text is IdText =>
  /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
