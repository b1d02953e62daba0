import { flattenContent } from '@tollgate/formats'
import { mistralFields } from '../mistral-fields.ts'
import { openAiCompatible } from '../openai-compatible.ts'

/** Usage always comes in the last chunk. https://docs.mistral.ai/api/ */
export const mistral = openAiCompatible({
  id: 'mistral',
  defaultBaseUrl: 'https://api.mistral.ai',
  modes: ['chat', 'embeddings', 'moderations', 'speech', 'transcriptions'],
  streamOptions: false,
  quirks: mistralFields,
  mend: flattenContent,
})
