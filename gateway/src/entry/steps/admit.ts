// The steps before the body is read: app, source address, identity, conversation. They need headers only, so that a
// refused client sends no body.
import type { AppMode } from '@gatewarden/shared/wire/management/app-config.ts';
import type { ConfigSnapshot } from '../../config/documents.ts';
import type { RequestRecord } from '../../logs/record.ts';
import {
  type CallerIdentity,
  checkCaller,
  checkConversationId,
  checkSourceAddress,
  type EffectiveApp,
  identifyCaller,
  readConversationId,
} from '../../policy/index.ts';
import type { Incoming } from '../incoming.ts';
import { requirePassed } from '../refusal.ts';
import { type IdentifiedApp, identifyApp } from './identify-app.ts';
import { checkMode, findSmartGroups, resolveApp } from './resolve-app.ts';

export interface Admission extends IdentifiedApp {
  effective: EffectiveApp;
  caller: CallerIdentity;
}

/** Admits a request by its headers, and records app and caller. Throws a Refusal. */
export async function admitByHeaders(
  snapshot: ConfigSnapshot | null,
  incoming: Incoming,
  mode: AppMode,
  record: RequestRecord,
): Promise<Admission> {
  const identified = requirePassed(identifyApp(snapshot, incoming.headers, incoming.receivedAt));
  const { tenant, app, key } = identified;
  record.tenantId = tenant.tenantId;
  record.app = { id: app.app_id, name: app.name, keyId: key.keyId };
  requirePassed(checkMode(app, mode));
  const effective = resolveApp(tenant, app);
  const access = effective.config.access ?? {};
  requirePassed(checkSourceAddress(access, incoming.clientIp));
  const identity = requirePassed(await identifyCaller(access, incoming));
  const caller = { ...identity, smartGroups: findSmartGroups(tenant, identity.email) };
  record.userEmail = caller.email;
  record.conversationId = readConversationId(incoming);
  if (caller.subject !== null) record.extraData.user_subject = caller.subject;
  requirePassed(checkCaller(access, caller));
  requirePassed(checkConversationId(access, incoming));
  return { ...identified, effective, caller };
}
