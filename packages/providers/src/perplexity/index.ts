import { openAiCompatible } from '../openai-compatible.ts'
import { numberWithin } from '../quirks.ts'

/** No version in its path, usage in every chunk, and sometimes no `[DONE]`. https://docs.perplexity.ai */
export const perplexity = openAiCompatible({
  id: 'perplexity',
  defaultBaseUrl: 'https://api.perplexity.ai',
  root: '',
  modes: ['chat'],
  streamOptions: false,
  models: false,
  quirks: (request) => numberWithin(request, 'top_p', 0, 0.99),
})
