import { openAiCompatible } from '../openai-compatible.ts'

/** https://docs.hyperbolic.xyz/docs/rest-api */
export const hyperbolic = openAiCompatible({
  id: 'hyperbolic',
  defaultBaseUrl: 'https://api.hyperbolic.xyz',
  modes: ['chat', 'completions'],
  streamOptions: false,
  olderNames: ['max_tokens', 'system'],
})
