import { openAiCompatible } from '../openai-compatible.ts'
import { taggedThoughts } from '../tagged-thoughts.ts'

/** Self-hosted. https://docs.sglang.ai/basic_usage/openai_api.html */
export const sglang = openAiCompatible({
  id: 'sglang',
  defaultBaseUrl: 'http://localhost:30000',
  modes: ['chat', 'completions', 'embeddings'],
  codec: taggedThoughts,
  streamOptions: true,
  olderNames: ['max_tokens', 'system'],
})
