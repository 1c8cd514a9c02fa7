// The SCIM address and tokens with which a directory provisions users.
import type { ScimTokenRow } from '@gatewarden/shared/wire/console/scim-tokens.ts';
import { CopyBlock } from '../ui/CopyBlock.tsx';
import { Time } from '../ui/Time.tsx';
import { directoryTexts as words } from './directory-texts.ts';
import { IssuedTokens, type TokenKind } from './IssuedTokens.tsx';

const SCIM_TOKENS: TokenKind<ScimTokenRow> = {
  // Events of the topic `people` report its tokens.
  topic: 'people',
  path: '/scim-tokens',
  rowTestId: 'scim-token-row',
  days: 365,
  words,
  columns: [
    { key: 'used', header: words.lastUsed, render: (row) => <Time at={row.last_used_at} /> },
  ],
};

export function Directory() {
  return (
    <IssuedTokens kind={SCIM_TOKENS} title={words.title}>
      <p className="gw-flat">{words.lead}</p>
      {/* The console is served under the hub's canonical origin. */}
      <CopyBlock label={words.url} text={`${window.location.origin}/scim/v2`} />
      <p className="gw-flat gw-dimmed gw-small">{words.roles}</p>
    </IssuedTokens>
  );
}
