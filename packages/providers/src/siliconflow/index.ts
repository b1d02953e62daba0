import { openAiCompatible } from '../openai-compatible.ts'

/** https://docs.siliconflow.cn/en/api-reference/chat-completions/chat-completions */
export const siliconflow = openAiCompatible({
  id: 'siliconflow',
  defaultBaseUrl: 'https://api.siliconflow.cn',
  modes: ['chat', 'completions', 'embeddings'],
  streamOptions: false,
  codeKinds: { '20012': 'not_found', '30001': 'quota' },
})
