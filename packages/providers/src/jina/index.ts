import type { RequestQuirks } from '@tollgate/formats'
import { openAiCompatible } from '../openai-compatible.ts'
import { renamed } from '../quirks.ts'

/** OpenAI's SDKs ask for base64 by `encoding_format`, which Jina refuses and calls `embedding_type`. */
const quirks: RequestQuirks = (request) => renamed(request, 'encoding_format', 'embedding_type')

/** https://jina.ai/embeddings */
export const jina = openAiCompatible({
  id: 'jina',
  defaultBaseUrl: 'https://api.jina.ai',
  modes: ['embeddings', 'rerank'],
  streamOptions: false,
  models: false,
  quirks,
})
