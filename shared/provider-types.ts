// Requirements of each provider type: its family, and per authentication mode the required settings and credentials.
import type {
  AuthType,
  ProviderSettings,
  ProviderType,
  SettingName,
} from './wire/management/providers.ts';

interface Mode {
  required: readonly SettingName[];
  /** Optional secrets of this mode. Choosing the mode removes all other secrets. */
  optional?: readonly SettingName[];
  /** Optional settings of this mode that are not secrets and have no meaning in another mode. */
  own?: readonly SettingName[];
}

interface Family {
  /** The settings that every mode requires. */
  required: readonly SettingName[];
  /** The setting that selects the mode, and the mode without that setting; null: the setting is required. */
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

/** The mode that uses the calling user's own credential; none is stored. */
const USER_PRINCIPAL: AuthType = 'gateway_user_principal';

export interface Requirements {
  required: readonly SettingName[];
  /** Secrets that may be stored in this mode. */
  credentials: readonly SettingName[];
  /** All settings of this mode that another mode does not use; choosing another mode removes them. */
  ofMode: readonly SettingName[];
  /** The selected mode, for error messages. */
  mode: string;
}

/** Returns the requirements of these settings, or the setting that selects a mode that the type does not offer. */
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
  // An `auth_type` without effect, in a family with another selector, would mislead readers.
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

/** Returns the selector of the mode and the offered modes, default first, for a form. */
export function modesOf(type: ProviderType): { chosenBy: SettingName; modes: readonly string[] } {
  const { chosenBy, modes, fallback } = FAMILIES[type];
  const names = Object.keys(modes).sort((a, b) => Number(b === fallback) - Number(a === fallback));
  return {
    chosenBy,
    modes: chosenBy === 'auth_type' ? [...names, USER_PRINCIPAL] : names,
  };
}
