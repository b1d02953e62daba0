import type { RequestQuirks } from '@tollgate/formats'
import { takingTurns } from '../message-quirks.ts'
import { openAiCompatible } from '../openai-compatible.ts'
import { mergedEdits, numberWithin } from '../quirks.ts'
import { taggedReasoning } from '../tagged-reasoning.ts'

/** Both sides have to take turns. */
const quirks: RequestQuirks = (request) =>
  mergedEdits(numberWithin(request, 'top_p', 0, 0.99), takingTurns(request))

/** No version in its path, usage in every chunk, and sometimes no `[DONE]`. https://docs.perplexity.ai */
export const perplexity = openAiCompatible({
  id: 'perplexity',
  defaultBaseUrl: 'https://api.perplexity.ai',
  root: '',
  modes: ['chat'],
  codec: taggedReasoning,
  streamOptions: false,
  olderNames: ['max_tokens', 'system'],
  models: false,
  quirks,
})
