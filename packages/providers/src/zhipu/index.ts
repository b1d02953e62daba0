import { openAiCompatible } from '../openai-compatible.ts'
import { topPWithin } from '../quirks.ts'
import { zhipuImages } from './images.ts'

/** API v4. Usage always comes in the last chunk, so it need not be asked for. https://docs.bigmodel.cn */
export const zhipu = openAiCompatible({
  id: 'zhipu',
  defaultBaseUrl: 'https://open.bigmodel.cn',
  root: '/api/paas/v4',
  modes: ['chat', 'embeddings', 'images'],
  own: { images: zhipuImages },
  streamOptions: false,
  models: false,
  quirks: (request) => topPWithin(request, 0, 0.99),
  codeKinds: {
    '1000': 'unauthorized',
    '1001': 'unauthorized',
    '1002': 'unauthorized',
    '1003': 'unauthorized',
    '1004': 'unauthorized',
    '1110': 'forbidden',
    '1111': 'forbidden',
    '1112': 'forbidden',
    '1121': 'forbidden',
    '1113': 'quota',
    '1211': 'not_found',
    '1220': 'forbidden',
    '1221': 'not_found',
    '1222': 'not_found',
    '1301': 'content_policy',
    '1302': 'rate_limited',
    '1303': 'rate_limited',
    '1304': 'rate_limited',
    '1305': 'overloaded',
    '1308': 'rate_limited',
    '1310': 'rate_limited',
    '1312': 'overloaded',
    '1120': 'upstream_bug',
    '1200': 'upstream_bug',
    '1230': 'upstream_bug',
    '1234': 'upstream_bug',
  },
})
