import { openAiCompatible } from '../openai-compatible.ts'

/** https://docs.sambanova.ai/docs/en/features/openai-compatibility */
export const sambanova = openAiCompatible({
  id: 'sambanova',
  defaultBaseUrl: 'https://api.sambanova.ai',
  modes: ['chat', 'embeddings'],
  streamOptions: true,
  olderNames: ['max_tokens', 'system'],
})
