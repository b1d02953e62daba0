import { allModes, openAiCompatible } from '../openai-compatible.ts'

/** A relay of OpenAI's API from the early days; kept for channels that were made then. */
export const ohmygpt = openAiCompatible({
  id: 'ohmygpt',
  defaultBaseUrl: 'https://api.ohmygpt.com',
  modes: allModes,
  streamOptions: true,
})
