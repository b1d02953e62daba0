import { allModes, openAiCompatible } from '../openai-compatible.ts'
import { jinaLikeRerank } from '../own-rerank.ts'
import { taggedReasoning } from '../tagged-reasoning.ts'

/** Self-hosted, so it has no address of its own; a key only where authentication is on. */
export const xinference = openAiCompatible({
  id: 'xinference',
  defaultBaseUrl: '',
  modes: allModes.filter((mode) => mode !== 'moderations' && mode !== 'image-edits'),
  own: { rerank: jinaLikeRerank },
  codec: taggedReasoning,
  streamOptions: false,
  olderNames: ['max_tokens', 'system'],
})
