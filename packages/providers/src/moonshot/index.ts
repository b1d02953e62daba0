import { amount, balanceAt, field } from '../balance.ts'
import { versionedUrl } from '../endpoint-url.ts'
import { openAiCompatible } from '../openai-compatible.ts'
import { numberWithin } from '../quirks.ts'

/** Usage may stand in the last choice instead of the chunk; the stream reader looks in both places. */
export const moonshot = openAiCompatible({
  id: 'moonshot',
  defaultBaseUrl: 'https://api.moonshot.cn',
  modes: ['chat'],
  streamOptions: true,
  olderNames: ['system'],
  // https://platform.moonshot.cn/docs/api/chat
  quirks: (request) => numberWithin(request, 'temperature', 0, 1),
  // https://platform.moonshot.cn/docs/api/misc#查询余额
  balance: balanceAt(
    ({ baseUrl }) => ({
      method: 'GET',
      url: versionedUrl(baseUrl, '/v1', '/users/me/balance'),
      headers: {},
    }),
    (body) => (field(body, 'code') === 0 ? amount(field(body, 'data', 'available_balance')) : undefined),
  ),
})
