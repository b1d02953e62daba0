import type { RequestQuirks } from '@tollgate/formats'
import { openAiCompatible } from '../openai-compatible.ts'
import { effortFromName, noEdits, renamed, together } from '../quirks.ts'

/** Families that think: they take `max_completion_tokens` only. https://platform.openai.com/docs/guides/reasoning */
const reasoningModel = /^(o[1-9]|gpt-([5-9]|[1-9]\d))/

const quirks: RequestQuirks = (request, model) =>
  reasoningModel.test(model)
    ? together(renamed(request, 'max_tokens', 'max_completion_tokens'), effortFromName(request, model))
    : noEdits

export const openai = openAiCompatible({
  id: 'openai',
  defaultBaseUrl: 'https://api.openai.com',
  modes: ['chat', 'completions', 'embeddings'],
  streamOptions: true,
  quirks,
  headers: ({ openaiOrganization }) =>
    openaiOrganization === '' ? {} : { 'openai-organization': openaiOrganization },
})
