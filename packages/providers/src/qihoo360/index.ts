import { openAiCompatible } from '../openai-compatible.ts'

export const qihoo360 = openAiCompatible({
  id: 'qihoo360',
  defaultBaseUrl: 'https://api.360.cn',
  modes: ['chat', 'embeddings'],
  streamOptions: false,
  olderNames: ['max_tokens', 'system'],
})
