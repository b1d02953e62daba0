import { openAiCompatible } from '../openai-compatible.ts'
import { taggedReasoning } from '../tagged-reasoning.ts'

/** A router over many providers; a name may end with one of them (`:groq`). https://huggingface.co/docs/inference-providers */
export const huggingface = openAiCompatible({
  id: 'huggingface',
  defaultBaseUrl: 'https://router.huggingface.co',
  modes: ['chat'],
  codec: taggedReasoning,
  streamOptions: false,
  olderNames: ['max_tokens', 'system'],
})
