import { openAiCompatible } from '../openai-compatible.ts'
import { taggedReasoning } from '../tagged-reasoning.ts'

/** Self-hosted; a key only where the server was given one. https://docs.vllm.ai */
export const vllm = openAiCompatible({
  id: 'vllm',
  defaultBaseUrl: 'http://localhost:8000',
  modes: ['chat', 'completions', 'embeddings', 'rerank', 'transcriptions', 'translations'],
  codec: taggedReasoning,
  streamOptions: true,
  olderNames: ['max_tokens', 'system'],
})
