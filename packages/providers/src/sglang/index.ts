import { openAiCompatible } from '../openai-compatible.ts'
import { taggedReasoning } from '../tagged-reasoning.ts'

/** Self-hosted. https://docs.sglang.ai/basic_usage/openai_api.html */
export const sglang = openAiCompatible({
  id: 'sglang',
  defaultBaseUrl: 'http://localhost:30000',
  modes: ['chat', 'completions', 'embeddings'],
  codec: taggedReasoning,
  streamOptions: true,
  olderNames: ['max_tokens', 'system'],
})
