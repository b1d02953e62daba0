import { openAiCompatible } from '../openai-compatible.ts'

/** Ark; a model that is a bot has its own address. https://www.volcengine.com/docs/82379/1298454 */
export const volcengine = openAiCompatible({
  id: 'volcengine',
  defaultBaseUrl: 'https://ark.cn-beijing.volces.com',
  root: '/api/v3',
  modes: ['chat', 'embeddings'],
  streamOptions: true,
  paths: (mode, { upstreamModel }) =>
    mode === 'chat' && upstreamModel.startsWith('bot') ? '/bots/chat/completions' : undefined,
  codeKinds: { QuotaExceeded: 'rate_limited' },
})
