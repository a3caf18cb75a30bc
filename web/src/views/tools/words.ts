// The words of the view Tools for the values of the API.

export const EFFECT_WORDS: Record<string, string> = { none: 'no side effects', read_only: 'reads only', writes: 'writes' };

export const TARGET_WORDS: Record<string, string> = {
  openai: 'OpenAI',
  openaiRealtime: 'OpenAI Realtime',
  geminiNative: 'Gemini, native schema',
  geminiJsonSchema: 'Gemini, JSON Schema',
  anthropic: 'Anthropic',
  mcp: 'MCP',
};

/** The order in which targets are shown; others follow. */
export const TARGETS = Object.keys(TARGET_WORDS);
