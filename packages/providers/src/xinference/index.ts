import { allModes, openAiCompatible } from '../openai-compatible.ts'
import { jinaLikeRerank } from '../own-rerank.ts'
import { taggedThoughts } from '../tagged-thoughts.ts'

/** Self-hosted, so it has no address of its own; a key only where authentication is on. */
export const xinference = openAiCompatible({
  id: 'xinference',
  defaultBaseUrl: '',
  modes: allModes.filter((mode) => mode !== 'moderations' && mode !== 'image-edits'),
  own: { rerank: jinaLikeRerank },
  codec: taggedThoughts,
  streamOptions: false,
  olderNames: ['max_tokens', 'system'],
})
