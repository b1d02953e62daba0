import { openAiCompatible } from '../openai-compatible.ts'
import { topPWithin } from '../quirks.ts'
import { zhipuCodes } from '../zhipu-errors.ts'

/** API v4. Usage always comes in the last chunk, so it need not be asked for. https://docs.bigmodel.cn */
export const zhipu = openAiCompatible({
  id: 'zhipu',
  defaultBaseUrl: 'https://open.bigmodel.cn',
  root: '/api/paas/v4',
  modes: ['chat', 'embeddings'],
  streamOptions: false,
  models: false,
  quirks: (request) => topPWithin(request, 0, 0.99),
  codeKinds: zhipuCodes,
})
