// Links to the addresses of the table of areas.
import type { LinkProps } from '@tanstack/react-router';

/** The link to a path of the table of areas, which a unit test compares with the router. */
export const linkTo = (path: string, tenantId: string) => ({
  to: `/t/$tenantId${path}` as LinkProps['to'] & string,
  params: { tenantId } as never,
});
