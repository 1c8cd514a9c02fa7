// The words of what discovery may look at.
export const discoveryTexts = {
  title: 'What discovery looks at',
  lead: 'Programs of the machine itself are always looked at. Values of variables, headers and tokens never leave a device.',
  places: {
    personal_homes: 'People\u2019s homes',
    browser_profiles: 'Browser profiles',
  },
  hints: {
    personal_homes:
      'Their assistants, MCP servers, editor extensions, packages and applications. Without it, MCP servers that people set up for themselves stay unseen.',
    browser_profiles:
      'The extensions in people\u2019s browsers. No history, no pages, no passwords.',
  },
  erases:
    'What was found there is erased from the hub within minutes, and devices stop looking with their next poll.',
  submit: 'Store what is looked at',
  stored: 'The setting is stored. Devices get it with their next poll.',
  conflict: 'Somebody else changed the setting meanwhile. Undo your change to see theirs.',
} as const;
