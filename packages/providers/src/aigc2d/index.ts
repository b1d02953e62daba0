import { openAiCompatible } from '../openai-compatible.ts'

/** A relay of OpenAI's API from the early days; kept for channels that were made then. */
export const aigc2d = openAiCompatible({
  id: 'aigc2d',
  defaultBaseUrl: 'https://api.aigc2d.com',
  modes: ['chat', 'completions', 'embeddings'],
  streamOptions: true,
})
