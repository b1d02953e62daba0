import { openAiCompatible } from '../openai-compatible.ts'

/** Completions (fill in the middle) live under `/beta`. https://api-docs.deepseek.com */
export const deepseek = openAiCompatible({
  id: 'deepseek',
  defaultBaseUrl: 'https://api.deepseek.com',
  root: (_target, mode) => (mode === 'completions' ? '/beta' : mode === 'models' ? '' : '/v1'),
  modes: ['chat', 'completions'],
  streamOptions: true,
})
