import { openAiCompatible } from '../openai-compatible.ts'
import { openrouterImages } from './images.ts'

/** https://openrouter.ai/docs/api-reference/overview */
export const openrouter = openAiCompatible({
  id: 'openrouter',
  defaultBaseUrl: 'https://openrouter.ai/api',
  modes: ['chat', 'completions', 'embeddings', 'images'],
  own: { images: openrouterImages },
  // Images are answers of chat.
  paths: (mode) => (mode === 'images' ? '/chat/completions' : undefined),
  streamOptions: true,
  responses: { path: '/responses' },
})
