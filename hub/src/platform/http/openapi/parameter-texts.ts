// Descriptions of parameters that have none in their schema, by where they are and what they are called.

export interface DescribedParameter {
  in: string;
  name: string;
  description?: string;
  schema?: { description?: string };
}

/** Resources by the name of an id. */
const RESOURCES: Readonly<Record<string, string>> = {
  access_request_id: 'access request',
  activity_id: 'activity event',
  agent_token_id: 'enrollment token',
  alert_id: 'alert',
  approval_id: 'approval',
  backend_id: 'published MCP server',
  call_rule_id: 'guardrail',
  definition_id: 'custom definition',
  delivery_id: 'delivery',
  device_id: 'device',
  event_id: 'event',
  export_key_id: 'log-export key',
  group_id: 'device group',
  id: 'resource',
  invitation_id: 'invitation',
  key_id: 'key',
  log_id: 'log row',
  mapping_id: 'process mapping',
  operation_id: 'operation',
  override_id: 'policy',
  people_group_id: 'user group',
  policy_id: 'product policy',
  product_id: 'product',
  prompt_id: 'prompt',
  route_id: 'notification channel',
  rule_id: 'access rule',
  scim_token_id: 'SCIM token',
  session_id: 'session',
  tenant_id: 'tenant',
  token_id: 'token',
  user_id: 'user',
  version_id: 'configuration version',
  view_id: 'saved view',
};

const TEXTS: Readonly<Record<string, string>> = {
  'path app_name': 'Name of the app.',
  'path entity_id': 'ID of the app: a SHA-256 in hex.',
  'path group_name': 'Name of the smart group.',
  'path label': 'Label of the provider.',
  'path sha256': 'SHA-256 of the file in hex.',
  'path subscriber_id': 'User of the device, as an e-mail address.',
  'query subscriber_id': 'Only items of devices of this user.',
  'query action': 'Only alerts of this type: blocked, quarantined, or of the agent itself.',
  'query actor': 'Only events of this actor, by e-mail address or id.',
  'query app': 'Only rows of this app, by name.',
  'query app_name': 'Name of the app.',
  'query approval_status': 'Only apps with this approval status.',
  'query arch': 'Processor of the device.',
  'query assigned': 'Only alerts that are assigned to you, to any user or to no user.',
  'query attributes': 'Attributes to return (RFC 7644, section 3.9).',
  'query backend': 'Only calls of this MCP server, by name or id.',
  'query blocked': 'Only rows that were blocked, or that were not.',
  'query category': 'Only products of this category.',
  'query channel': 'Channel of releases.',
  'query conversation_id': 'Only rows of this conversation.',
  'query coverage': 'Only devices with this scan coverage.',
  'query cursor': '`next_cursor` of the previous page.',
  'query decision': 'Only events in which the device applied this policy.',
  'query drifted': 'Only apps that changed since their approval, or that did not.',
  'query email': 'E-mail address of the user.',
  'query enabled': 'Only apps that are enabled, or that are disabled.',
  'query end_time': 'Rows before this time.',
  'query excludedAttributes': 'Attributes to leave out (RFC 7644, section 3.9).',
  'query failed': 'Only rows that failed, or that did not.',
  'query filter': 'SCIM filter (RFC 7644, section 3.4.2.2).',
  'query format': 'Format of the file.',
  'query fresh': 'Only apps that are new, or that are not.',
  'query governance': 'Only devices in this state of policy sync.',
  'query guardrail': 'Only requests in which guardrails found this category.',
  'query kind': 'Only apps of this kind.',
  'query log_id': 'Only the row with this id.',
  'query model': 'Only requests to this model.',
  'query of': 'Whose rows: your own, or those of all users. All rows require the role Admin.',
  'query operation': 'Only events of this operation.',
  'query policy_step': 'Only apps on devices with this step of the policy scale for everyone.',
  'query platform': 'Only this platform.',
  'query provider': 'Only requests to this provider.',
  'query query': 'Text that names must contain.',
  'query removed': 'Also entities that were removed.',
  'query request_id': 'Only the row with this request id.',
  'query resource_id': 'Only events of this resource.',
  'query resource_kind': 'Only events of resources of this kind.',
  'query reveal': 'With `true` secrets are included, and the read is recorded in the audit log.',
  'query role': 'Only users with this role.',
  'query rollout': 'Only policies with a rollout in this state.',
  'query seen': 'Only devices by their last contact.',
  'query severity': 'Only alerts of this severity.',
  'query product_policies': '`once`: a product policy is listed once instead of once for each app.',
  'query sort': 'Order of the rows.',
  'query sortBy': 'Attribute to sort by (RFC 7644, section 3.4.2.3).',
  'query sortOrder': 'Order of the rows (RFC 7644, section 3.4.2.3).',
  'query start_time': 'Rows from this time on.',
  'query state': 'Only rows in this state.',
  'query status': 'Only requests that were blocked, that failed, or that passed.',
  'query tag': 'Only apps with this tag.',
  'query tool': 'Only calls of this tool.',
  'query user': 'Only rows of this user, by e-mail address.',
  'query verdict': 'Only calls that were blocked, failed, passed, or have no known end.',
  'header Content-Encoding': 'The body is compressed.',
};

/** Returns the description of a parameter; undefined if nothing is known about it. */
export function describeParameter(parameter: DescribedParameter): string | undefined {
  const { in: place, name, description, schema } = parameter;
  const own = description ?? schema?.description;
  const text = TEXTS[`${place} ${name}`];
  const resource = RESOURCES[name];
  const general = text ?? (resource === undefined ? undefined : `ID of the ${resource}.`);
  // Texts of schemas are fragments about the form of a value.
  if (own === undefined || /^[A-Z`].*[.)]$/.test(own)) return own ?? general;
  const form = `${own[0]?.toUpperCase()}${own.slice(1)}.`;
  return general === undefined ? form : `${general} ${form}`;
}
