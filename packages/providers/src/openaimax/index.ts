import { allModes, openAiCompatible } from '../openai-compatible.ts'

/** A relay of OpenAI's API from the early days; kept for channels that were made then. */
export const openaimax = openAiCompatible({
  id: 'openaimax',
  defaultBaseUrl: 'https://api.openaimax.com',
  modes: allModes,
  streamOptions: true,
})
