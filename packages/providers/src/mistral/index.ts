import type { RequestQuirks } from '@tollgate/formats'
import { openAiCompatible } from '../openai-compatible.ts'
import { mergedEdits, noEdits, renamed } from '../quirks.ts'

/** Mistral answers 422 to fields it does not know: OpenAI's names become its own, the end user's id is left out. */
const quirks: RequestQuirks = (request) =>
  mergedEdits(
    renamed(request, 'seed', 'random_seed'),
    renamed(request, 'max_completion_tokens', 'max_tokens'),
    request.body.tool_choice === 'required' ? new Map([['tool_choice', '"any"']]) : noEdits,
    new Map([['user', undefined]]),
  )

/** Usage always comes in the last chunk. https://docs.mistral.ai/api/ */
export const mistral = openAiCompatible({
  id: 'mistral',
  defaultBaseUrl: 'https://api.mistral.ai',
  modes: ['chat', 'embeddings', 'moderations', 'speech', 'transcriptions'],
  streamOptions: false,
  quirks,
})
