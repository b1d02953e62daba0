import type { RequestQuirks } from '@tollgate/formats'
import { developerAsSystem, editedMessages, takingTurns } from '../message-quirks.ts'
import { openAiCompatible } from '../openai-compatible.ts'
import { mergedEdits, topPWithin } from '../quirks.ts'

/** Both sides have to take turns. */
const quirks: RequestQuirks = (request) =>
  mergedEdits(topPWithin(request, 0, 0.99), editedMessages(request, developerAsSystem), takingTurns(request))

/** No version in its path, usage in every chunk, and sometimes no `[DONE]`. https://docs.perplexity.ai */
export const perplexity = openAiCompatible({
  id: 'perplexity',
  defaultBaseUrl: 'https://api.perplexity.ai',
  root: '',
  modes: ['chat'],
  streamOptions: false,
  models: false,
  quirks,
})
