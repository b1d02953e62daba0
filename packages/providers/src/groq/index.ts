import { openAiCompatible } from '../openai-compatible.ts'

/** Usage also stands under `x_groq`. https://console.groq.com/docs/openai */
export const groq = openAiCompatible({
  id: 'groq',
  defaultBaseUrl: 'https://api.groq.com/openai',
  modes: ['chat', 'speech', 'transcriptions', 'translations'],
  streamOptions: true,
})
