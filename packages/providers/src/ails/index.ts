import { allModes, openAiCompatible } from '../openai-compatible.ts'

/** A relay of OpenAI's API from the early days; kept for channels that were made then. */
export const ails = openAiCompatible({
  id: 'ails',
  defaultBaseUrl: 'https://api.caipacity.com',
  modes: allModes,
  streamOptions: true,
})
