import { openAiCompatible } from '../openai-compatible.ts'

/** Its OpenAI surface takes chat unchanged. https://github.com/ollama/ollama/blob/main/docs/openai.md */
export const ollama = openAiCompatible({
  id: 'ollama',
  defaultBaseUrl: 'http://localhost:11434',
  modes: ['chat', 'completions', 'embeddings'],
  streamOptions: true,
  mediaBytes: 'always',
  responses: { path: '/responses' },
})
