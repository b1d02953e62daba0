import { amount, balanceAt, field } from '../balance.ts'
import { versionedUrl } from '../endpoint-url.ts'
import { openAiCompatible } from '../openai-compatible.ts'
import { jinaLikeRerank } from '../own-rerank.ts'
import { siliconflowImages } from './images.ts'

const success = 20000

/** https://docs.siliconflow.cn/en/api-reference/chat-completions/chat-completions */
export const siliconflow = openAiCompatible({
  id: 'siliconflow',
  defaultBaseUrl: 'https://api.siliconflow.cn',
  modes: ['chat', 'completions', 'embeddings', 'rerank', 'images', 'image-edits', 'speech', 'transcriptions'],
  own: { rerank: jinaLikeRerank, images: siliconflowImages, 'image-edits': siliconflowImages },
  paths: (mode) => (mode === 'image-edits' ? '/images/generations' : undefined),
  streamOptions: false,
  olderNames: ['max_tokens', 'system'],
  codeKinds: { '20012': 'not_found', '30001': 'quota' },
  // https://docs.siliconflow.cn/en/api-reference/userinfo/get-user-info
  balance: balanceAt(
    ({ baseUrl }) => ({ method: 'GET', url: versionedUrl(baseUrl, '/v1', '/user/info'), headers: {} }),
    (body) => (field(body, 'code') === success ? amount(field(body, 'data', 'totalBalance')) : undefined),
  ),
})
