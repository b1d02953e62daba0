import { type CodeKinds, decodeErrorBody, embeddingCodec, objectOf, unsupported } from '@tollgate/formats'
import { chunkCodec } from '../../chat/chunk-codec.ts'
import { type ExchangedCredential, keyParts } from '../../credential.ts'
import { chatOperation, defineProvider, plainOperation } from '../../define-provider.ts'
import { endpointUrl, pathSegment } from '../../endpoint-url.ts'
import { droppedEmbeddingOptions, textInputs, vectorsIn } from '../../modes/embeddings.ts'
import type { Target } from '../../provider.ts'
import { meaningsOf } from '../../words.ts'
import { chunkOf, encodeRequest, isFailure, isLast } from './chat.ts'

/** https://cloud.baidu.com/doc/WENXINWORKSHOP/s/tlmyncueh */
const codeKinds: CodeKinds = meaningsOf({
  unauthorized: '13 14 15 110 111',
  forbidden: '6',
  rate_limited: '4 18 336501 336502',
  account_limited: '17 19',
  overloaded: '2 336100',
  bad_request: '3 100 336001 336002 336003 336004 336005 336006 336007',
  upstream_bug: '1 336000',
})

const decodeError = (failure: Parameters<typeof decodeErrorBody>[0]) => decodeErrorBody(failure, codeKinds)

/** Tokens live for thirty days. https://cloud.baidu.com/doc/WENXINWORKSHOP/s/Ilkkrb0i5 */
const credential: ExchangedCredential = {
  kind: 'exchanged',
  renewBeforeSeconds: 3600,
  exchange({ key, baseUrl }) {
    const [id, secret] = keyParts(key, 'APIKey|SecretKey')
    const query = `grant_type=client_credentials&client_id=${encodeURIComponent(id)}&client_secret=${encodeURIComponent(secret)}`
    return {
      url: endpointUrl(baseUrl, '/oauth/2.0', `/token?${query}`),
      headers: { accept: 'application/json' },
      body: '',
    }
  },
  decodeToken(body) {
    const { access_token: token, expires_in: seconds } = objectOf(body)
    if (typeof token !== 'string' || token === '') return undefined
    return { token, expiresInSeconds: typeof seconds === 'number' ? seconds : 0 }
  },
  authorize: (request, token) => ({
    ...request,
    url: `${request.url}?access_token=${encodeURIComponent(token)}`,
  }),
}

/** The vendor's names of models in its address, where they differ from the name in lower case. Keys in lower case. */
const endpoints: ReadonlyMap<string, string> = new Map([
  ['ernie-4.0', 'completions_pro'],
  ['ernie-4.0-8k', 'completions_pro'],
  ['ernie-bot-4', 'completions_pro'],
  ['ernie-3.5-8k', 'completions'],
  ['ernie-bot', 'completions'],
  ['ernie-bot-8k', 'ernie_bot_8k'],
  ['ernie-speed', 'ernie_speed'],
  ['ernie-speed-8k', 'ernie_speed'],
  ['ernie-lite-8k-0922', 'eb-instant'],
  ['ernie-bot-turbo', 'eb-instant'],
  ['ernie-lite-8k-0308', 'ernie-lite-8k'],
  ['bloomz-7b', 'bloomz_7b1'],
  ['bge-large-zh', 'bge_large_zh'],
  ['bge-large-en', 'bge_large_en'],
  ['tao-8k', 'tao_8k'],
])

/** https://cloud.baidu.com/doc/WENXINWORKSHOP/s/clntwmv7t */
function endpointOf(model: string): string {
  const name = model.toLowerCase()
  return endpoints.get(name) ?? pathSegment(name)
}

function isEmbedding(model: string): boolean {
  return /^(embedding|bge-large|tao-8k)/i.test(model)
}

const max = { tao: 1, others: 16 } as const

/** The address holds the model. https://cloud.baidu.com/doc/WENXINWORKSHOP/s/alj562vvu */
const embeddings = embeddingCodec({
  encodeRequest(request, { model }) {
    if (request.dimensions !== undefined)
      throw unsupported('dimensions', 'the model has one length of vectors')
    const input = textInputs(request, /^tao-8k/i.test(model) ? max.tao : max.others)
    const { user } = request
    const dropped = droppedEmbeddingOptions({ ...request, user: '' })
    return { body: { input, ...(user !== '' && { user_id: user }) }, dropped }
  },
  decodeResponse({ json }) {
    return vectorsIn(objectOf(json).data, { vector: 'embedding', position: 'index' })
  },
})

const root = '/rpc/2.0/ai_custom/v1/wenxinworkshop'

const codec = chunkCodec({
  format: 'provider:baidu',
  encodeRequest,
  decodeError,
  chunkOf,
  isFailure,
  isLast,
})

const chat = chatOperation({
  codec,
  endpoint: (target) => addressOf('chat', target),
})

const embed = plainOperation({
  format: 'provider:baidu-embeddings',
  plain: embeddings,
  endpoint: (target) => addressOf('embeddings', target),
  decodeError,
})

function addressOf(kind: 'chat' | 'embeddings', { baseUrl, upstreamModel }: Target) {
  const path = `/${kind}/${endpointOf(upstreamModel)}`
  return { url: endpointUrl(baseUrl, root, path), headers: {} }
}

/** Wenxin Workshop, the older API of Qianfan. https://cloud.baidu.com/doc/WENXINWORKSHOP/s/flfmc9do2 */
export const baidu = defineProvider({
  credential,
  operations: {
    chat: ({ upstreamModel }) => (isEmbedding(upstreamModel) ? undefined : chat),
    embeddings: embed,
  },
  decodeError,
})
