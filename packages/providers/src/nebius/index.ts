import { openAiCompatible } from '../openai-compatible.ts'

/** Served by vLLM. https://docs.nebius.com/studio/inference/api */
export const nebius = openAiCompatible({
  id: 'nebius',
  defaultBaseUrl: 'https://api.studio.nebius.ai',
  modes: ['chat', 'completions', 'embeddings'],
  streamOptions: true,
  olderNames: ['max_tokens', 'system'],
})
