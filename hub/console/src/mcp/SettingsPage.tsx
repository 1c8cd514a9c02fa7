// Whose addresses may use the gateway, and where clients may be sent back to.
import type {
  McpSettings,
  McpSettingsAnswer,
} from '@gatewarden/shared/wire/console/mcp-settings.ts';
import { Textarea } from '@mantine/core';
import { useMayAdminister, useResource } from '../api/tenant.ts';
import { SettingForm } from '../defaults/SettingForm.tsx';
import { texts } from '../texts.ts';
import { Page } from '../ui/Page.tsx';
import { Waiting } from '../ui/Waiting.tsx';
import { ServersCrumb } from './RulesPage.tsx';
import { linesOf } from './server-values.ts';

const words = texts.mcp.settings;

/** As it stands in the fields: text, so that nothing moves while somebody types. */
interface Values {
  domains: string;
  aliases: string;
  https: string;
  schemes: string;
  origins: string;
}

export function SettingsPage() {
  const mayAdminister = useMayAdminister();
  return (
    <Page title={words.title} lead={words.lead} crumb={<ServersCrumb />}>
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
        stored={{ ...valuesOf(settings), version: settings.version }}
        path="/mcp/settings"
        topic="mcp"
        isSame={(a, b) => FIELDS.every(({ field }) => a[field] === b[field])}
        body={bodyOf}
        texts={words}
      >
        {(value, choose, mayManage) =>
          FIELDS.map(({ field, label, hint }) => (
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
          ))
        }
      </SettingForm>
    </div>
  );
}

const FIELDS: readonly { field: keyof Values; label: string; hint: string }[] = [
  { field: 'domains', label: words.domains, hint: words.domainsHint },
  { field: 'aliases', label: words.aliases, hint: words.aliasesHint },
  { field: 'https', label: words.https, hint: words.httpsHint },
  { field: 'schemes', label: words.schemes, hint: words.schemesHint },
  { field: 'origins', label: words.origins, hint: words.originsHint },
];

const valuesOf = (settings: McpSettings): Values => ({
  domains: settings.allowed_email_domains.join('\n'),
  aliases: settings.company_domain_aliases.join('\n'),
  https: settings.redirect_uris.https.join('\n'),
  schemes: settings.redirect_uris.schemes.join('\n'),
  origins: settings.allowed_origins.join('\n'),
});

const bodyOf = (values: Values) => ({
  allowed_email_domains: linesOf(values.domains),
  company_domain_aliases: linesOf(values.aliases),
  redirect_uris: { https: linesOf(values.https), schemes: linesOf(values.schemes) },
  allowed_origins: linesOf(values.origins),
});
