import { openAiCompatible } from '../openai-compatible.ts'
import { taggedReasoning } from '../tagged-reasoning.ts'

/** Names of models are paths (`accounts/fireworks/models/…`); the last chunk has the usage unasked. https://docs.fireworks.ai */
export const fireworks = openAiCompatible({
  id: 'fireworks',
  defaultBaseUrl: 'https://api.fireworks.ai/inference',
  modes: ['chat', 'completions', 'embeddings'],
  codec: taggedReasoning,
  streamOptions: false,
  olderNames: ['max_tokens', 'system'],
})
