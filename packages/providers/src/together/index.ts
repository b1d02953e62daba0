import { namesIn, openAiCompatible } from '../openai-compatible.ts'
import { taggedReasoning } from '../tagged-reasoning.ts'
import { togetherImages } from './images.ts'

/** https://docs.together.ai/docs/openai-api-compatibility */
export const together = openAiCompatible({
  id: 'together',
  defaultBaseUrl: 'https://api.together.xyz',
  modes: [
    'chat',
    'completions',
    'embeddings',
    'rerank',
    'images',
    'speech',
    'transcriptions',
    'translations',
  ],
  own: { images: togetherImages },
  codec: taggedReasoning,
  streamOptions: true,
  olderNames: ['max_tokens', 'system'],
  // The list is no `{ data }` there.
  decodeModels: (body) => namesIn({ data: body }, 'data', 'id'),
})
