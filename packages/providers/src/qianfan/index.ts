import type { RequestQuirks } from '@tollgate/formats'
import { bearer } from '../credential.ts'
import { openAiCompatible } from '../openai-compatible.ts'
import { jinaLikeRerank } from '../own-rerank.ts'
import { noEdits } from '../quirks.ts'

const searchSuffix = '-search'

/** `ernie-4.0-8k-search` is gateways' way to ask for the model with web search switched on. */
const quirks: RequestQuirks = (_request, model) =>
  model.endsWith(searchSuffix)
    ? new Map([
        ['model', JSON.stringify(model.slice(0, -searchSuffix.length))],
        ['web_search', '{"enable":true,"enable_citation":true,"enable_trace":true,"enable_status":false}'],
      ])
    : noEdits

/** Baidu Qianfan V2. A key may carry the application id behind a bar: `bce-v3/…|app-…`. */
export const qianfan = openAiCompatible({
  id: 'qianfan',
  defaultBaseUrl: 'https://qianfan.baidubce.com',
  root: '/v2',
  modes: ['chat', 'embeddings', 'images', 'rerank'],
  own: { rerank: jinaLikeRerank },
  streamOptions: true,
  olderNames: ['system'],
  quirks,
  credential: ({ key }) => {
    const [token = '', appId = ''] = key.split('|')
    return { ...bearer({ key: token }), ...(appId === '' ? {} : { appid: appId }) }
  },
})
