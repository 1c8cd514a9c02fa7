// Normalizes names of object members for comparison.

/** Returns the snake case of a name: `openaiApiKey`, `OpenAI-API-Key` and `openai_api_key` are equal. */
export function foldKey(name: string): string {
  return name
    .trim()
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '_');
}
