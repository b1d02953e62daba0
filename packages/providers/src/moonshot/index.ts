import { openAiCompatible } from '../openai-compatible.ts'

/** Usage may stand in the last choice instead of the chunk; the stream reader looks in both places. */
export const moonshot = openAiCompatible({
  id: 'moonshot',
  defaultBaseUrl: 'https://api.moonshot.cn',
  modes: ['chat'],
  streamOptions: true,
})
