// A page for administrators. Its content is not mounted for other roles, so that no query is sent.
import type { ReactNode } from 'react';
import { useMayAdminister } from '../api/tenant.ts';
import { Page } from '../ui/Page.tsx';
import { settingsTexts } from './texts.ts';

interface AdminsOnlyProps {
  title: string;
  lead: string;
  actions?: ReactNode;
  children: ReactNode;
}

export function AdminsOnly({ title, lead, actions, children }: AdminsOnlyProps) {
  const mayAdminister = useMayAdminister();
  return (
    <Page title={title} lead={lead} actions={mayAdminister ? actions : undefined}>
      {mayAdminister ? children : <p>{settingsTexts.adminsOnly}</p>}
    </Page>
  );
}
