import { openAiCompatible } from '../openai-compatible.ts'

/** https://inference-docs.cerebras.ai/resources/openai */
export const cerebras = openAiCompatible({
  id: 'cerebras',
  defaultBaseUrl: 'https://api.cerebras.ai',
  modes: ['chat', 'completions'],
  streamOptions: true,
})
