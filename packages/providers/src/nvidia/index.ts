import { openAiCompatible } from '../openai-compatible.ts'

/** NVIDIA's own endpoints, or its containers on machines of one's own. https://docs.api.nvidia.com/nim */
export const nvidia = openAiCompatible({
  id: 'nvidia',
  defaultBaseUrl: 'https://integrate.api.nvidia.com',
  modes: ['chat', 'completions', 'embeddings'],
  streamOptions: false,
  olderNames: ['max_tokens', 'system'],
})
