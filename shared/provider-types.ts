// What each type of provider needs, as a table: its family, and by authentication the settings that must be there and
// the credentials that belong to it.
import type {
  AuthType,
  ProviderSettings,
  ProviderType,
  SettingName,
} from './wire/management/providers.ts';

interface Mode {
  required: readonly SettingName[];
  /** Secrets of this mode besides the required ones; all others go when it is chosen. */
  optional?: readonly SettingName[];
  /** Settings that are no secrets and mean something in this mode only, besides the required ones. */
  own?: readonly SettingName[];
}

interface Family {
  /** What every mode needs. */
  required: readonly SettingName[];
  /** Which setting chooses the mode, and the mode where it is not set; null: it must be set. */
  chosenBy: 'auth_type' | 'vendorG_auth_mode';
  fallback: string | null;
  modes: Readonly<Record<string, Mode>>;
}

const api: Mode = { required: ['api_key'] };

const KEYED: Family = {
  required: [],
  chosenBy: 'auth_type',
  fallback: 'api_key',
  modes: { api_key: api },
};
const GENERAL: Family = {
  required: ['base_url'],
  chosenBy: 'auth_type',
  fallback: 'api_key',
  modes: { api_key: { required: [], optional: ['api_key'] } },
};
const MANAGED: Family = { ...KEYED, modes: { api_key: { required: [], optional: ['api_key'] } } };
const VENDOR_B: Family = { ...KEYED, required: ['vendorB_endpoint'] };
const VENDOR_G: Family = {
  required: ['vendorG_region'],
  chosenBy: 'vendorG_auth_mode',
  fallback: 'static',
  modes: {
    static: {
      required: ['vendorG_access_key', 'vendorG_secret_key'],
      optional: ['vendorG_session_token'],
    },
    assume_role: {
      required: ['vendorG_role_arn'],
      optional: ['vendorG_external_id', 'vendorG_access_key', 'vendorG_secret_key'],
      own: ['vendorG_role_session_name', 'vendorG_session_duration_seconds'],
    },
  },
};
const VENDOR_E: Family = {
  required: ['vendorE_project_id', 'vendorE_region'],
  chosenBy: 'auth_type',
  fallback: null,
  modes: {
    express: api,
    service_account: { required: ['service_account_json'] },
    adc: { required: [] },
  },
};
const VENDOR_F: Family = {
  required: ['vendorF_region', 'vendorF_compartment_id'],
  chosenBy: 'auth_type',
  fallback: null,
  modes: {
    user_principal: {
      required: [
        'vendorF_tenancy_id',
        'vendorF_user_id',
        'vendorF_fingerprint',
        'vendorF_private_key',
      ],
      optional: ['vendorF_private_key_passphrase'],
    },
    session_principal: {
      required: ['vendorF_session_token', 'vendorF_private_key'],
      optional: ['vendorF_private_key_passphrase'],
    },
    instance_principal: { required: [] },
    resource_principal: { required: [] },
  },
};

const FAMILIES: Readonly<Record<ProviderType, Family>> = {
  vendorA: KEYED,
  vendorB_vendorA: VENDOR_B,
  general: GENERAL,
  gw_ai: MANAGED,
  vendorC: KEYED,
  vendorC_messages: KEYED,
  vendorC_messages_vendorG: VENDOR_G,
  vendorC_messages_vendorB: VENDOR_B,
  vendorD: KEYED,
  vendorE_ai: VENDOR_E,
  vendorE_chatcompletions: VENDOR_E,
  vendorF: VENDOR_F,
  vendorA_responses: KEYED,
  vendorA_responses_vendorB: VENDOR_B,
  vendorF_responses: VENDOR_F,
  vendorA_assistants: KEYED,
  vendorA_assistants_vendorB: VENDOR_B,
  vendorA_realtime: KEYED,
  vendorA_realtime_vendorB: VENDOR_B,
  vendorG: VENDOR_G,
  vendorG_embeddings: VENDOR_G,
  vendorH_rerank: KEYED,
  vendorG_rerank: VENDOR_G,
  vendorI_rerank: KEYED,
  vendorJ_rerank: KEYED,
  general_rerank: GENERAL,
  vendorK: KEYED,
};

/** The person's own credential is used: none is stored. */
const USER_PRINCIPAL: AuthType = 'gateway_user_principal';

export interface Requirements {
  required: readonly SettingName[];
  /** Secrets that may be stored in this mode. */
  credentials: readonly SettingName[];
  /** All settings that belong to this mode and not to the type: they go when another mode is chosen. */
  ofMode: readonly SettingName[];
  /** What chose the mode, for messages. */
  mode: string;
}

/** What these settings must hold; null with the setting at fault where it chooses a mode that the type has not. */
export function requirementsOf(
  type: ProviderType,
  settings: ProviderSettings,
): Requirements | { unknownMode: SettingName; offered: readonly string[] } {
  const family = FAMILIES[type];
  if (settings.auth_type === USER_PRINCIPAL) {
    return { required: family.required, credentials: [], ofMode: [], mode: USER_PRINCIPAL };
  }
  const chosen = settings[family.chosenBy] ?? family.fallback;
  const mode = chosen === null ? undefined : family.modes[String(chosen)];
  // An auth_type that says nothing to a family chosen by another setting would mislead whoever reads it.
  const isStray =
    family.chosenBy !== 'auth_type' &&
    settings.auth_type !== undefined &&
    settings.auth_type !== 'api_key';
  if (mode === undefined || isStray) {
    const offered = [...Object.keys(family.modes), USER_PRINCIPAL];
    return { unknownMode: isStray ? 'auth_type' : family.chosenBy, offered };
  }
  return {
    required: [...family.required, ...mode.required],
    credentials: [...mode.required, ...(mode.optional ?? [])],
    ofMode: [...mode.required, ...(mode.optional ?? []), ...(mode.own ?? [])],
    mode: String(chosen),
  };
}

/** What a form asks for: how the mode is chosen, and the modes that there are, the usual one first. */
export function modesOf(type: ProviderType): { chosenBy: SettingName; modes: readonly string[] } {
  const { chosenBy, modes, fallback } = FAMILIES[type];
  const names = Object.keys(modes).sort((a, b) => Number(b === fallback) - Number(a === fallback));
  return {
    chosenBy,
    modes: chosenBy === 'auth_type' ? [...names, USER_PRINCIPAL] : names,
  };
}
