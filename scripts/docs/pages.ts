// All generated pages of docs/reference. Pages that need the OpenAPI document read hub/openapi.json, which `npm run dump`
// writes.
import { rolesPage } from './access.ts';
import { discoverySourcesPage, protectionRulesPage } from './agent.ts';
import { apiPage } from './api.ts';
import { commandsPage, exitCodesPage } from './commands.ts';
import { errorsPage } from './errors.ts';
import { eventsPage } from './events.ts';
import { limitsPage } from './limits.ts';
import type { Derived } from './markdown.ts';
import { metricsPage } from './metrics.ts';
import { readApiDocument } from './openapi-document.ts';
import { logLinePage, tenantFilePages } from './schemas.ts';
import { agentTomlPage, configurationPage } from './settings.ts';

export async function referencePages(): Promise<Derived[]> {
  const document = readApiDocument();
  return [
    configurationPage(),
    agentTomlPage(),
    await commandsPage(),
    exitCodesPage(),
    apiPage(document),
    errorsPage(),
    eventsPage(),
    metricsPage(),
    ...tenantFilePages(),
    logLinePage(),
    discoverySourcesPage(),
    protectionRulesPage(),
    rolesPage(document),
    limitsPage(document),
  ];
}
