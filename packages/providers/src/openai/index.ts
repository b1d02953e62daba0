import { openAiCompatible } from '../openai-compatible.ts'
import { reasoningFields } from '../quirks.ts'

export const openai = openAiCompatible({
  id: 'openai',
  defaultBaseUrl: 'https://api.openai.com',
  modes: ['chat', 'completions', 'embeddings'],
  streamOptions: true,
  quirks: reasoningFields,
  headers: ({ openaiOrganization }) =>
    openaiOrganization === '' ? {} : { 'openai-organization': openaiOrganization },
})
