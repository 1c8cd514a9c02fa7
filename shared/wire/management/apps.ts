// Apps in responses: metadata and the stored sections, without write-only values.
import { type Static, type TSchema, Type } from 'typebox';
import { NameText, Nullable, OneOf, Uuid } from '../common.ts';
import { ListQuery } from '../console/common.ts';
import { APP_MODES, CONFIG_SECTIONS, Routing } from './app-config.ts';
import { ActorWire, ListAnswer, RequestId, Strict, UnixSeconds, Version } from './common.ts';
import { AppKeyIssued } from './keys.ts';

export const PolicyAuthority = Type.Object({
  enabled: Type.Boolean(),
  active_revision: Nullable(Type.String()),
  active_checksum: Nullable(Type.String()),
});
export type PolicyAuthority = Static<typeof PolicyAuthority>;

const sections = Object.fromEntries(
  Object.entries(CONFIG_SECTIONS).map(([name, schema]) => [name, Type.Optional(schema)]),
) as Record<string, TSchema>;

/** The provider that a legacy app defines inline; its credentials stay in the legacy app. */
const InlineProvider = Type.Object({
  provider_name: Type.String(),
  provider_settings: Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    additionalProperties: true,
  }),
});

export const AppWire = Type.Object(
  {
    app_id: Uuid,
    name: Type.String(),
    mode: OneOf(APP_MODES),
    enabled: Type.Boolean(),
    version: Version,
    provider_labels: Type.Array(Type.String()),
    tags: Type.Array(Type.String()),
    policy_authority: PolicyAuthority,
    /** Present only for a legacy app. */
    inline_providers: Type.Optional(Type.Array(InlineProvider)),
    created_at: UnixSeconds,
    updated_at: UnixSeconds,
    ...sections,
  },
  { title: 'App' },
);
export interface AppWire extends Record<string, unknown> {
  app_id: string;
  name: string;
  version: string;
}

export const Warning = Type.Object({ code: Type.String(), message: Type.String() });
export type Warning = Static<typeof Warning>;
export const Warnings = Type.Array(Warning);

const Inactive = Type.Object({
  fields: Type.Array(Type.String()),
  active_revision: Nullable(Type.String()),
});

export const AppAnswer = Type.Object({ app: AppWire, ...RequestId });
export const AppWrittenAnswer = Type.Object({
  app: AppWire,
  /** Saved values that have no effect while policy authority is enabled. */
  inactive_under_gwql: Type.Optional(Inactive),
  warnings: Type.Optional(Warnings),
  ...RequestId,
});
export const AppCreatedAnswer = Type.Object({
  app: AppWire,
  key: AppKeyIssued,
  warnings: Warnings,
  inactive_under_gwql: Type.Optional(Inactive),
  operation_id: Uuid,
  ...RequestId,
});
export const AppRolledBackAnswer = Type.Object({
  app: AppWire,
  warnings: Warnings,
  inactive_under_gwql: Type.Optional(Inactive),
  operation_id: Uuid,
  state: Type.String(),
  ...RequestId,
});

export const AppsQuery = Strict({
  ...ListQuery,
  name: Type.Optional(NameText(1000)),
  tag: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  enabled: Type.Optional(OneOf(['true', 'false'] as const)),
});
export type AppsQuery = Static<typeof AppsQuery>;
export const AppsAnswer = ListAnswer(AppWire);

export const AttachedAnswer = Type.Object({
  provider_labels: Type.Array(Type.String()),
  version: Version,
  ...RequestId,
});
export const AttachInput = Strict({ primary: Type.Optional(Type.Boolean({ default: false })) });
export const ConversionInput = Strict({
  provider_labels: Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
    minItems: 1,
    maxItems: 1000,
    uniqueItems: true,
  }),
  routing: Type.Optional(Routing),
});

const Snapshot = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  additionalProperties: true,
});
const versionFacts = {
  version_id: Uuid,
  created_at: UnixSeconds,
  actor: ActorWire,
  operation: Type.String(),
  /** JSON pointers (RFC 6901) to the changed values. */
  changed: Type.Array(Type.String()),
};
export const VersionFacts = Type.Object(versionFacts);
export const VersionRecordAnswer = Type.Object({
  version_record: Type.Object({
    ...versionFacts,
    previous_config: Snapshot,
    new_config: Snapshot,
  }),
  ...RequestId,
});
export const VersionsAnswer = ListAnswer(VersionFacts);

export const PROMPT_ID_PATTERN = '^[A-Za-z0-9_-]{1,200}$';
export const Prompt = Type.Object({
  prompt_id: Type.String(),
  content: Type.String(),
  created_at: UnixSeconds,
  updated_at: UnixSeconds,
});
export type Prompt = Static<typeof Prompt>;
export const PromptInput = Strict({ content: Type.String({ minLength: 1 }) });
export const PromptAnswer = Type.Object({ prompt: Prompt, app_version: Version, ...RequestId });
export const PromptDeletedAnswer = Type.Object({
  prompt: Type.Null(),
  prompt_id: Type.String(),
  app_version: Version,
  ...RequestId,
});
export const PromptsAnswer = ListAnswer(Prompt);
