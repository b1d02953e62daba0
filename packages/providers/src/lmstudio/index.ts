import { openAiCompatible } from '../openai-compatible.ts'

/** On a desk; it ignores keys. https://lmstudio.ai/docs/developer/openai-compat */
export const lmstudio = openAiCompatible({
  id: 'lmstudio',
  defaultBaseUrl: 'http://localhost:1234',
  modes: ['chat', 'completions', 'embeddings'],
  streamOptions: false,
  olderNames: ['max_tokens', 'system'],
  responses: { path: '/responses' },
})
