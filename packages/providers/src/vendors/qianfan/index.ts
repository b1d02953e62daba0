import type { RequestQuirks } from '@tollgate/formats'
import { bearer } from '../../credential.ts'
import { noEdits } from '../../edits/json-edits.ts'
import { openAiCompatible } from '../../openai/openai-compatible.ts'

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
  root: '/v2',
  serves: ['chat', 'embeddings', 'images', 'rerank'],
  forms: { rerank: 'jina-like' },
  quirks,
  credential: ({ key }) => {
    const [token = '', appId = ''] = key.split('|')
    return { ...bearer({ key: token }), ...(appId === '' ? {} : { appid: appId }) }
  },
})
