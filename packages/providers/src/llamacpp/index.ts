import { openAiCompatible } from '../openai-compatible.ts'
import { taggedReasoning } from '../tagged-reasoning.ts'

/** Self-hosted; it answers 503 while it loads its model. https://github.com/ggml-org/llama.cpp/tree/master/tools/server */
export const llamacpp = openAiCompatible({
  id: 'llamacpp',
  defaultBaseUrl: 'http://localhost:8080',
  modes: ['chat', 'completions', 'embeddings', 'rerank'],
  codec: taggedReasoning,
  streamOptions: true,
  olderNames: ['max_tokens', 'system'],
})
