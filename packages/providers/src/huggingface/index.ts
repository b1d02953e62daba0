import { openAiCompatible } from '../openai-compatible.ts'

/** A router over many providers; a name may end with one of them (`:groq`). https://huggingface.co/docs/inference-providers */
export const huggingface = openAiCompatible({
  id: 'huggingface',
  defaultBaseUrl: 'https://router.huggingface.co',
  modes: ['chat'],
  streamOptions: false,
})
