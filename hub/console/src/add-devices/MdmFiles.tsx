// Files for device management of an operating system, to download with the hub's address and the token in them.
import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTenant } from '../api/tenant.ts';
import type { System } from './install-commands.ts';
import { MDM_FILES } from './mdm-files.ts';
import { addTexts as t } from './texts.ts';
import './add-devices.css';

export function MdmFiles({ system, token }: { system: System; token: string }) {
  const { tenantId, email } = useTenant();
  const [emailDomain, setEmailDomain] = useState(email.split('@')[1] ?? '');
  const fleet = { baseUrl: window.location.origin, tenantId, token, emailDomain };
  return (
    <section aria-label={t.mdm} className="gw-mdm">
      <h3>{t.mdm}</h3>
      <p className="gw-dimmed gw-small">{t.mdmText}</p>
      <TextInput
        label={t.domain}
        description={t.domainHint}
        maxLength={200}
        value={emailDomain}
        onChange={(event) => setEmailDomain(event.currentTarget.value.trim())}
      />
      {MDM_FILES.filter((file) => file.system === system).map((file) => (
        <div key={file.key} data-testid="mdm-file">
          <div className="gw-section-head">
            <h4>{file.name}</h4>
            <Button
              size="xs"
              variant="default"
              aria-label={t.downloadOf(file.name)}
              onClick={() => downloadText(file.fileName, file.content(fleet))}
            >
              {t.download}
            </Button>
          </div>
          <ol className="gw-small">
            {file.steps.map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
        </div>
      ))}
    </section>
  );
}

function downloadText(name: string, text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
