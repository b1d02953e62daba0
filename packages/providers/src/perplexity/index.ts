import { openAiCompatible } from '../openai-compatible.ts'
import { topPWithin } from '../quirks.ts'

/** No version in its path, usage in every chunk, and sometimes no `[DONE]`. https://docs.perplexity.ai */
export const perplexity = openAiCompatible({
  id: 'perplexity',
  defaultBaseUrl: 'https://api.perplexity.ai',
  root: '',
  modes: ['chat'],
  streamOptions: false,
  models: false,
  quirks: (request) => topPWithin(request, 0, 0.99),
})
