// Texts of the search box; loaded with the first page.
export const searchTexts = {
  open: 'Search',
  hint: 'Ctrl K',
  title: 'Search the console',
  placeholder: 'Users, products, devices, MCP servers, gateway apps, request IDs',
  start: 'Type a name, an e-mail address or a request ID.',
  none: (query: string) => `No results for “${query}”.`,
  searching: 'Searching…',
  failed: 'Search isn’t available right now. Try again.',
  found: (count: number) => (count === 1 ? '1 result' : `${count} results`),
  kinds: {
    pages: 'Pages',
    users: 'Users',
    products: 'Products',
    apps: 'Apps by platform',
    devices: 'Devices',
    mcp_servers: 'Published MCP servers',
    gateway_apps: 'Gateway apps',
    requests: 'Requests',
  },
  requests: { llm_request: 'LLM request', tool_call: 'Tool call' },
} as const;
