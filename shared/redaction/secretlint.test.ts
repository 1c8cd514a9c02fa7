// Secretlint is an oracle: whatever its recommended rules find is redacted, in each place where a credential can be.
import { lintSource } from '@secretlint/core';
import { creator } from '@secretlint/secretlint-rule-preset-recommend';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { propertyRuns } from '../../test/support/property-runs.ts';
import { redact } from './redact.ts';

/** Samples of each rule of the preset. The prefixes are separate to avoid reports of repository scanners. */
const matching = (prefix: string, rest: RegExp) =>
  fc.stringMatching(rest).map((body) => prefix + body);
const SAMPLES: Readonly<Record<string, fc.Arbitrary<string>>> = {
  'AWS access key id': matching('AKIA', /^[A-Z0-9]{16}$/),
  'AWS role id': matching('AROA', /^[A-Z0-9]{16}$/),
  'AWS secret access key': matching('AWS_SECRET_ACCESS_KEY=', /^[A-Za-z0-9/+]{39}[a-z]$/),
  'npm token': matching('npm_', /^[A-Za-z0-9]{36}$/),
  'npm auth token': matching(
    '//registry.npmjs.org/:_authToken=',
    /^[a-f0-9]{8}-[a-f0-9]{4}-4[a-f0-9]{3}-8[a-f0-9]{3}-[a-f0-9]{12}$/,
  ),
  'GitHub login in a URL': matching('https://', /^[a-f0-9]{40}:x-oauth-basic@github\.com\/$/),
  'Slack token': matching('xoxb', /^-[0-9]{12}-[0-9]{12}-[A-Za-z0-9]{24}$/),
  'Slack webhook': matching(
    'https://hooks.slack.com',
    /^\/services\/T[A-Z0-9]{8}\/B[A-Z0-9]{8}\/[A-Za-z0-9]{24}$/,
  ),
  'login in a URL': matching('https://', /^[a-z]{3,8}:[A-Za-z0-9_]{6,20}@[a-z]{3,9}\.test$/),
  'OpenAI key': matching('sk-', /^[a-zA-Z0-9]{20}T3BlbkFJ[a-zA-Z0-9]{20}$/),
  'OpenAI project key': matching('sk-proj', /^-[A-Za-z0-9_]{74}T3BlbkFJ[A-Za-z0-9_]{73}[a-z]$/),
  'Anthropic key': matching('sk-ant', /^-api03-[A-Za-z0-9_]{93}AA$/),
  'Groq key': matching('gsk', /^_[a-zA-Z0-9]{52}$/),
  'Hugging Face token': matching('hf', /^_[a-zA-Z]{34}$/),
  'Linear key': matching('lin_api', /^_[a-zA-Z0-9]{40}$/),
  'Notion token': matching('ntn', /^_[0-9]{11}[A-Za-z0-9]{35}$/),
  'private key': matching(
    '-----BEGIN RSA PRIVATE',
    /^ KEY-----\nMIIE[A-Za-z0-9+/]{200}\n-----END RSA PRIVATE KEY-----$/,
  ),
  'SendGrid key': matching('SG', /^\.[A-Za-z0-9_]{22}\.[A-Za-z0-9_]{43}$/),
  'Shopify token': matching('shpat', /^_[a-f0-9]{32}$/),
  'Stripe key': matching('sk_live', /^_[a-zA-Z0-9]{24,99}$/),
  'GitHub token': matching('ghp', /^_[A-Za-z0-9]{36}$/),
  'GitHub fine-grained token': matching('github_pat', /^_[A-Za-z0-9_]{82}$/),
  'GitHub installation token': matching(
    'ghs',
    /^_[0-9]{6}_[A-Za-z0-9_-]{36}\.[A-Za-z0-9_-]{60}\.[A-Za-z0-9_]{43}$/,
  ),
  'GitLab token': matching('glpat', /^-[A-Za-z0-9_]{20}$/),
  'Grafana cloud token': matching('glc', /^_eyJ[A-Za-z0-9+/]{100}$/),
  'Grafana service account token': matching('glsa', /^_[A-Za-z0-9]{32}_[a-f0-9]{8}$/),
  '1Password token': fc
    .stringMatching(/^[A-Za-z0-9_-]{90}$/)
    .map((secretKey) => `ops_${btoa(JSON.stringify({ email: 'ann@example.test', secretKey }))}`),
  'MongoDB login': matching(
    'mongodb+srv://',
    /^[a-z]{3,8}:[A-Za-z0-9!*_-]{6,20}@[a-z]{3,9}\.test\/shop$/,
  ),
  'MySQL login': matching('mysql://', /^[a-z]{3,8}:[A-Za-z0-9!*_-]{6,20}@[a-z]{3,9}\.test\/shop$/),
  'PostgreSQL login': matching(
    'postgresql://',
    /^[a-z]{3,8}:[A-Za-z0-9!*_-]{6,20}@[a-z]{3,9}\.test\/shop$/,
  ),
  'Vault service token': matching('hvs', /^\.[A-Za-z0-9_]{90,120}$/),
  'Vault batch token': matching('hvb', /^\.[A-Za-z0-9_]{138,200}$/),
  'Vercel token': matching('vcp', /^_[A-Za-z0-9]{24,56}$/),
  'Databricks token': matching('dapi', /^[a-f0-9]{32}$/),
  'Docker token': matching('dckr_pat', /^_[a-zA-Z0-9_]{27}$/),
  'Figma token': matching('figd', /^_[A-Za-z0-9_]{40,60}$/),
  'Cloudflare token': matching('cfut', /^_[A-Za-z0-9]{40}[0-9a-f]{8}$/),
  'Tailscale key': matching('tskey', /^-auth-[0-9A-Za-z]{11}CNTRL-[0-9A-Za-z]{32}$/),
};

const PLACES: Readonly<Record<string, (secret: string) => string>> = {
  text: (secret) => `it works with ${secret} today`,
  JSON: (secret) => JSON.stringify({ user: 'ann', note: `see ${secret}` }),
  'truncated JSON': (secret) => `{"user": "ann", "note": ${JSON.stringify(secret)}, "mo`,
  URL: (secret) => `https://api.example.test/items?q=${secret}&page=2`,
  header: (secret) => `GET / HTTP/1.1\r\nX-Custom: ${secret}\r\nAccept: */*`,
  'command line': (secret) => `deploy --value '${secret}' --verbose`,
};

const RULES = [
  {
    id: '@secretlint/secretlint-rule-preset-recommend',
    rule: creator,
    // Ids are reported on request only.
    rules: [{ id: '@secretlint/secretlint-rule-aws', options: { enableIDScanRule: true } }],
  },
];

/** Returns the texts that secretlint reports. */
async function findSecrets(content: string): Promise<string[]> {
  const source = { content, filePath: '.npmrc', ext: '.npmrc', contentType: 'text' as const };
  const { messages } = await lintSource({ source, options: { config: { rules: RULES } } });
  return messages.map(({ range }) => content.slice(...range));
}

test.each(Object.entries(SAMPLES))('redacts what secretlint finds: %s', async (_name, samples) => {
  let found = 0;
  await fc.assert(
    fc.asyncProperty(samples, fc.constantFrom(...Object.values(PLACES)), async (secret, place) => {
      const text = place(secret);
      const shown = redact(text) as string;
      for (const reported of await findSecrets(text)) {
        found++;
        expect(shown).not.toContain(reported);
      }
    }),
    { numRuns: propertyRuns(200) },
  );
  expect(found).toBeGreaterThan(0);
});
