import { openAiBilling } from '../balance.ts'
import { versionedUrl } from '../endpoint-url.ts'
import { openAiCompatible } from '../openai-compatible.ts'
import { reasoningFields } from '../quirks.ts'

export const openai = openAiCompatible({
  id: 'openai',
  defaultBaseUrl: 'https://api.openai.com',
  modes: ['chat', 'completions', 'embeddings'],
  streamOptions: true,
  quirks: reasoningFields,
  balance: openAiBilling(({ baseUrl }) => versionedUrl(baseUrl, '/v1', '/dashboard/billing')),
  headers: ({ openaiOrganization }) =>
    openaiOrganization === '' ? {} : { 'openai-organization': openaiOrganization },
})
