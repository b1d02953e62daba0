import type { RequestQuirks } from '@tollgate/formats'
import { editedMessages, without } from '../message-quirks.ts'
import { openAiCompatible } from '../openai-compatible.ts'

/** Members of messages that are refused: thoughts under any name but `reasoning`, and what a response cites. */
const refused = ['reasoning_content', 'reasoning_details', 'annotations']
const quirks: RequestQuirks = (request) => editedMessages(request, (message) => without(message, refused))

/** Usage also stands under `x_groq`. https://console.groq.com/docs/openai */
export const groq = openAiCompatible({
  id: 'groq',
  defaultBaseUrl: 'https://api.groq.com/openai',
  modes: ['chat', 'speech', 'transcriptions', 'translations'],
  streamOptions: true,
  quirks,
})
