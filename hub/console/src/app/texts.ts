// The texts of taking a page elsewhere.
export const pageAsTexts = {
  curl: 'This page as curl',
  yaml: 'This page as YAML',
  curlToken:
    'GATEWARDEN_TOKEN is an administrator’s: npm run hub -- token admin --tenant … --email …',
  taken: 'Copied.',
  notTaken: 'It could not be copied: the browser lets no page write to its clipboard here.',
} as const;
