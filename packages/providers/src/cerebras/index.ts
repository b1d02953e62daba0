import type { RequestQuirks } from '@tollgate/formats'
import { openAiCompatible } from '../openai-compatible.ts'
import { removed } from '../quirks.ts'

/** Penalties are refused. https://inference-docs.cerebras.ai/resources/openai */
const quirks: RequestQuirks = (request) => removed(request, ['presence_penalty', 'frequency_penalty'])

/** https://inference-docs.cerebras.ai/resources/openai */
export const cerebras = openAiCompatible({
  id: 'cerebras',
  defaultBaseUrl: 'https://api.cerebras.ai',
  modes: ['chat', 'completions'],
  streamOptions: true,
  quirks,
})
