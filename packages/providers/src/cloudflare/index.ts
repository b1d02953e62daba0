import { fillModel } from '../endpoint-url.ts'
import { namesIn, openAiCompatible } from '../openai-compatible.ts'
import { nextByNumber } from '../paging.ts'
import type { RelayMode } from '../provider.ts'
import { completionFields, normalizeCompletion } from './completions.ts'
import { cloudflareModes } from './modes.ts'
import { cloudflareTranscriptions } from './transcriptions.ts'

/** The other modes have no address but the model's own. */
const paths: { readonly [Mode in RelayMode]?: string } = {
  chat: '/v1/chat/completions',
  embeddings: '/v1/embeddings',
}

/** Workers AI; `other` is the account id. https://developers.cloudflare.com/workers-ai/configuration/open-ai-compatibility/ */
export const cloudflare = openAiCompatible({
  id: 'cloudflare',
  defaultBaseUrl: 'https://api.cloudflare.com',
  root: (target) => `/client/v4/accounts/${encodeURIComponent(target.other.trim())}/ai`,
  modes: [
    'chat',
    'completions',
    'embeddings',
    'images',
    'speech',
    'rerank',
    'transcriptions',
    'translations',
  ],
  own: cloudflareModes,
  modeQuirks: { completions: completionFields },
  normalizeCompletion,
  transcription: cloudflareTranscriptions,
  streamOptions: true,
  olderNames: ['max_tokens', 'system'],
  paths: (mode, { upstreamModel }) => paths[mode] ?? fillModel('/run/{model}', upstreamModel),
  responses: { path: '/v1/responses', serves: ({ upstreamModel }) => upstreamModel.includes('gpt-oss') },
  models: '/models/search?per_page=100&page=1',
  nextModels: nextByNumber,
  decodeModels: (body) => namesIn(body, 'result', 'name'),
  codeKinds: {
    '10000': 'unauthorized',
    '7003': 'not_found',
    '5007': 'not_found',
    '5006': 'bad_request',
    '3040': 'overloaded',
    '3036': 'quota',
  },
})
