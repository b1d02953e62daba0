import { openAiCompatible } from '../openai-compatible.ts'

/** The base holds its version. https://novita.ai/docs/guides/llm-api */
export const novita = openAiCompatible({
  id: 'novita',
  defaultBaseUrl: 'https://api.novita.ai/v3/openai',
  modes: ['chat', 'completions'],
  streamOptions: true,
  olderNames: ['max_tokens', 'system'],
})
