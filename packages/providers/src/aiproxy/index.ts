import { openAiCompatible } from '../openai-compatible.ts'

/** A relay of OpenAI's API from the early days; kept for channels that were made then. */
export const aiproxy = openAiCompatible({
  id: 'aiproxy',
  defaultBaseUrl: 'https://api.aiproxy.io',
  modes: ['chat', 'completions', 'embeddings'],
  streamOptions: true,
})
