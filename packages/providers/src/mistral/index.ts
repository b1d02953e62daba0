import { flattenContent } from '@tollgate/formats'
import { mistralFields } from '../mistral-fields.ts'
import { openAiCompatible } from '../openai-compatible.ts'
import { fimFields, normalizeFimResponse } from './completions.ts'

/** Usage always comes in the last chunk. https://docs.mistral.ai/api/ */
export const mistral = openAiCompatible({
  id: 'mistral',
  defaultBaseUrl: 'https://api.mistral.ai',
  modes: ['chat', 'completions', 'embeddings', 'moderations', 'speech', 'transcriptions'],
  streamOptions: false,
  quirks: mistralFields,
  modeQuirks: { completions: fimFields },
  paths: (mode) => (mode === 'completions' ? '/fim/completions' : undefined),
  normalizeResponse: flattenContent,
  normalizeCompletion: normalizeFimResponse,
})
