// C/mcp/settings: e-mail domains and clients that may use the MCP gateway.
import { type Static, Type } from 'typebox';
import { MCP_CLIENT_NAMES } from '../../mcp-clients.ts';
import { OneOf } from '../common.ts';

const list = (item: ReturnType<typeof Type.String>, description: string) =>
  Type.Array(item, { maxItems: 200, uniqueItems: true, description });
const Domain = Type.String({
  description: 'a domain such as example.com',
  pattern: '^[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?(\\.[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?)+$',
  maxLength: 253,
});
const Target = Type.String({
  description: 'host and path such as app.example.com/oauth/callback; /* at its end for all below',
  pattern: '^[A-Za-z0-9.-]+(:[0-9]{1,5})?/[\\x21-\\x22\\x24\\x26-\\x3e\\x40-\\x7e]*$',
  maxLength: 1_000,
});
const Scheme = Type.String({
  description: "an application's scheme, without the colon",
  pattern: '^[a-z][a-z0-9+.-]{1,62}$',
});
const Origin = Type.String({
  description: 'an origin such as https://inspector.example.com',
  pattern: '^https?://[A-Za-z0-9.:\\[\\]-]+$',
  maxLength: 300,
});

export const McpSettingsInput = Type.Object(
  {
    allowed_email_domains: Type.Optional(
      list(Domain, 'Empty: the addresses of all members may use it.'),
    ),
    company_domain_aliases: Type.Optional(list(Domain, 'Further domains that `mcpuser` may name.')),
    redirect_uris: Type.Optional(
      Type.Object(
        {
          https: Type.Optional(list(Target, 'Redirect targets besides the well-known ones.')),
          schemes: Type.Optional(list(Scheme, 'Applications besides the well-known ones.')),
          clients: Type.Optional(
            Type.Array(OneOf(MCP_CLIENT_NAMES), {
              uniqueItems: true,
              description: 'Hosted clients whose redirect targets are allowed.',
            }),
          ),
        },
        { additionalProperties: false },
      ),
    ),
    allowed_origins: Type.Optional(
      list(Origin, 'Web pages that may call MCP URLs from a browser.'),
    ),
  },
  { additionalProperties: false, title: 'McpSettingsInput' },
);
export type McpSettingsInput = Static<typeof McpSettingsInput>;

export const McpSettings = Type.Object(
  {
    allowed_email_domains: Type.Array(Type.String()),
    company_domain_aliases: Type.Array(Type.String()),
    redirect_uris: Type.Object({
      https: Type.Array(Type.String()),
      schemes: Type.Array(Type.String()),
      clients: Type.Array(Type.String()),
    }),
    allowed_origins: Type.Array(Type.String()),
    version: Type.String(),
  },
  { title: 'McpSettings' },
);
export type McpSettings = Static<typeof McpSettings>;
export const McpSettingsAnswer = Type.Object({
  settings: McpSettings,
  request_id: Type.String(),
});
export type McpSettingsAnswer = Static<typeof McpSettingsAnswer>;
