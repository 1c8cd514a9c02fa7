// Texts of copying a page as a command or as YAML.
export const pageAsTexts = {
  curl: 'Copy as cURL',
  yaml: 'Copy as YAML',
  curlToken: 'GATEWARDEN_TOKEN is an admin token: npm run hub -- token admin --tenant … --email …',
  taken: 'Copied.',
  notTaken: 'Couldn’t copy. Your browser doesn’t allow clipboard access here.',
} as const;
