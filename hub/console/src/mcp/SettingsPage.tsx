// Settings of the MCP gateway: e-mail domains of its users, and redirect URIs and origins of clients.
import { MCP_CLIENT_NAMES, MCP_CLIENTS } from '@gatewarden/shared/mcp-clients.ts';
import type {
  McpSettings,
  McpSettingsAnswer,
} from '@gatewarden/shared/wire/console/mcp-settings.ts';
import { Checkbox, Textarea } from '@mantine/core';
import { useMayAdminister, useResource } from '../api/tenant.ts';
import { SettingForm } from '../defaults/SettingForm.tsx';
import { texts } from '../texts.ts';
import { Page } from '../ui/Page.tsx';
import { Waiting } from '../ui/Waiting.tsx';
import { splitLines } from './server-values.ts';

const words = texts.mcp.settings;

/** The values of the fields as text, so that no input is reformatted while the user types. */
interface Values {
  domains: string;
  aliases: string;
  https: string;
  schemes: string;
  clients: readonly string[];
  origins: string;
}

export function SettingsPage() {
  const mayAdminister = useMayAdminister();
  return (
    <Page title={words.title} lead={words.lead}>
      {mayAdminister ? <Settings /> : <p>{words.adminsOnly}</p>}
    </Page>
  );
}

function Settings() {
  const answer = useResource<McpSettingsAnswer>('mcp', '/mcp/settings');
  const settings = answer.data?.settings;
  if (settings === undefined) return <Waiting answer={answer} />;
  return (
    <div className="gw-card gw-section">
      <SettingForm<Values>
        stored={{ ...toSettingsValues(settings), version: settings.version }}
        path="/mcp/settings"
        topic="mcp"
        isSame={(a, b) => JSON.stringify(toSettingsInput(a)) === JSON.stringify(toSettingsInput(b))}
        body={toSettingsInput}
        texts={words}
      >
        {(value, choose, mayManage) => (
          <>
            <Checkbox.Group
              label={words.clients}
              description={words.clientsHint}
              value={[...value.clients]}
              onChange={(clients) => choose({ ...value, clients })}
            >
              <div className="gw-radios" data-column="">
                {MCP_CLIENT_NAMES.map((name) => (
                  <Checkbox
                    key={name}
                    value={name}
                    label={MCP_CLIENTS[name].label}
                    disabled={!mayManage}
                  />
                ))}
              </div>
            </Checkbox.Group>
            {FIELDS.map(({ field, label, hint }) => (
              <Textarea
                key={field}
                label={label}
                description={hint}
                autosize
                minRows={2}
                readOnly={!mayManage}
                spellCheck={false}
                value={value[field]}
                onChange={(event) => choose({ ...value, [field]: event.currentTarget.value })}
              />
            ))}
          </>
        )}
      </SettingForm>
    </div>
  );
}

const FIELDS: readonly { field: Exclude<keyof Values, 'clients'>; label: string; hint: string }[] =
  [
    { field: 'domains', label: words.domains, hint: words.domainsHint },
    { field: 'aliases', label: words.aliases, hint: words.aliasesHint },
    { field: 'https', label: words.https, hint: words.httpsHint },
    { field: 'schemes', label: words.schemes, hint: words.schemesHint },
    { field: 'origins', label: words.origins, hint: words.originsHint },
  ];

const toSettingsValues = (settings: McpSettings): Values => ({
  domains: settings.allowed_email_domains.join('\n'),
  aliases: settings.company_domain_aliases.join('\n'),
  https: settings.redirect_uris.https.join('\n'),
  schemes: settings.redirect_uris.schemes.join('\n'),
  clients: settings.redirect_uris.clients,
  origins: settings.allowed_origins.join('\n'),
});

const toSettingsInput = (values: Values) => ({
  allowed_email_domains: splitLines(values.domains),
  company_domain_aliases: splitLines(values.aliases),
  redirect_uris: {
    https: splitLines(values.https),
    schemes: splitLines(values.schemes),
    clients: MCP_CLIENT_NAMES.filter((name) => values.clients.includes(name)),
  },
  allowed_origins: splitLines(values.origins),
});
