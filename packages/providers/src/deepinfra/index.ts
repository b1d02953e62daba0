import { openAiCompatible } from '../openai-compatible.ts'

/** The base holds its version. https://deepinfra.com/docs/openai_api */
export const deepinfra = openAiCompatible({
  id: 'deepinfra',
  defaultBaseUrl: 'https://api.deepinfra.com/v1/openai',
  modes: ['chat', 'completions', 'embeddings'],
  streamOptions: true,
  olderNames: ['max_tokens', 'system'],
})
