import { openAiCompatible } from '../openai-compatible.ts'

/** 01.AI. The last chunk repeats the whole text beside its choices; only the choices count. */
export const lingyi = openAiCompatible({
  id: 'lingyi',
  defaultBaseUrl: 'https://api.lingyiwanwu.com',
  modes: ['chat'],
  streamOptions: false,
  olderNames: ['max_tokens', 'system'],
})
