import type { RequestQuirks } from '@tollgate/formats'
import { editedMessages, without } from '../message-quirks.ts'
import { openAiCompatible } from '../openai-compatible.ts'

/** Thoughts come back under the name `reasoning`, and are refused under any other. */
const quirks: RequestQuirks = (request) =>
  editedMessages(request, (message) => without(message, ['reasoning_content', 'reasoning_details']))

/** Usage also stands under `x_groq`. https://console.groq.com/docs/openai */
export const groq = openAiCompatible({
  id: 'groq',
  defaultBaseUrl: 'https://api.groq.com/openai',
  modes: ['chat', 'speech', 'transcriptions', 'translations'],
  streamOptions: true,
  quirks,
})
