import { openAiCompatible } from '../openai-compatible.ts'

/** https://openrouter.ai/docs/api-reference/overview */
export const openrouter = openAiCompatible({
  id: 'openrouter',
  defaultBaseUrl: 'https://openrouter.ai/api',
  modes: ['chat', 'completions', 'embeddings'],
  streamOptions: true,
  responses: { path: '/responses' },
})
