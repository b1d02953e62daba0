import { openAiCompatible } from '../openai-compatible.ts'
import { taggedThoughts } from '../tagged-thoughts.ts'

/** Self-hosted, so it has no address of its own; a key only where authentication is on. */
export const xinference = openAiCompatible({
  id: 'xinference',
  defaultBaseUrl: '',
  modes: ['chat', 'completions', 'embeddings'],
  codec: taggedThoughts,
  streamOptions: false,
})
