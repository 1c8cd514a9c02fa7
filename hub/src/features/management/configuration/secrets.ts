// Write-only values of a configuration. They are removed before anything is stored, so that no read, snapshot or audit
// record contains them; webhook URLs are stored beside the configuration, by the webhook's id.
import { CONFIG_SECTIONS } from '@gatewarden/shared/wire/management/app-config.ts';
import { isObject } from '../../../platform/http/json/parse-json.ts';
import { alternativeFor, memberOf, type Node } from './schema-walk.ts';

/** Returns the value without its write-only members. */
export function withoutSecrets(schema: Node, value: unknown): unknown {
  if (value === null || value === undefined) return value;
  const node = alternativeFor(schema, value);
  if (Array.isArray(value)) {
    const { items } = node;
    return items === undefined ? value : value.map((item) => withoutSecrets(items, item));
  }
  if (!isObject(value)) return value;
  const kept: Record<string, unknown> = {};
  for (const [name, inner] of Object.entries(value)) {
    const member = memberOf(node, name);
    if (member?.['x-secret'] === true) continue;
    kept[name] = member === undefined ? inner : withoutSecrets(member, inner);
  }
  return kept;
}

export function configWithoutSecrets(config: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(config).map(([name, value]) => {
      const schema = CONFIG_SECTIONS[name as keyof typeof CONFIG_SECTIONS] as Node | undefined;
      return [name, schema === undefined ? value : withoutSecrets(schema, value)];
    }),
  );
}

export interface Webhook {
  id: string;
  type?: string;
  label?: string;
  url?: string;
}

/** Returns the webhooks of a configuration, stored or sent. */
export function webhooksOf(config: Record<string, unknown>): Webhook[] {
  const { alerting } = config as {
    alerting?: { channels?: { webhooks?: Webhook[] } } | null;
  };
  return alerting?.channels?.webhooks ?? [];
}
