import {
  type ChatPart,
  type ChatRequest,
  type CodeKinds,
  decodeErrorBody,
  type EncodedRequest,
  type EncodeTarget,
  openAiChat,
  type UpstreamCodec,
} from '@tollgate/formats'
import { droppedByApplication } from '../../chat/application-request.ts'
import { chatOperation, defineProvider } from '../../define-provider.ts'
import { endpointUrl } from '../../endpoint-url.ts'
import type { Provider } from '../../provider.ts'

/** FastGPT's own fields that OpenAI's callers may set: its history, its variables, and how much it reports. */
const ownFields = ['chatId', 'responseChatItemId', 'variables', 'detail'] as const

/** https://github.com/labring/FastGPT: packages/global/common/error */
const errorKinds: CodeKinds = {
  '403': 'unauthorized',
  '510': 'quota',
  '511': 'forbidden',
  '514': 'unauthorized',
}

const decodeError: Provider['decodeError'] = (failure) => decodeErrorBody(failure, errorKinds)

const defaultSampling: ChatRequest['sampling'] = { stop: [], candidates: 1 }

/** The workflow decides the model and its options: lists the options that it would ignore as dropped, and does not send them. */
function encodeRequest(request: ChatRequest, target: EncodeTarget): EncodedRequest {
  const lost = droppedByApplication(request, 'provider:fastgpt', ownFields)
  const { sampling: _, maxOutputTokens: __, reasoning: ___, ...heeded } = request
  const { body, dropped } = openAiChat.encodeRequest({ ...heeded, sampling: defaultSampling }, target)
  return { body, dropped: [...new Set([...dropped, ...lost])] }
}

/** Its counts are dummies: one token in, one out. */
function isCounted(part: ChatPart): boolean {
  return part.type !== 'usage' || part.usage.inputTokens > 1 || part.usage.outputTokens > 1
}

/** Names of the events that belong to the response; events have names with `detail`. */
const responseEvents: ReadonlySet<string> = new Set(['', 'answer', 'fastAnswer', 'error'])

const chunks: UpstreamCodec['decodeStream'] = openAiChat.decodeStream

const codec: UpstreamCodec = {
  format: 'provider:fastgpt',
  encodeRequest,
  decodeResponse(body) {
    const reading = openAiChat.decodeResponse(body)
    if (!reading.ok) return reading
    const { usage } = reading.response
    const isDummy = usage !== undefined && !isCounted({ type: 'usage', usage })
    return isDummy ? { ok: true, response: { ...reading.response, usage: undefined } } : reading
  },
  decodeStream: {
    start: () => chunks.start(),
    step: (state, frame) =>
      responseEvents.has(frame.event) ? chunks.step(state, frame).filter(isCounted) : [],
    finish: (state) => chunks.finish(state),
  },
  decodeError,
}

const chat = chatOperation({
  codec,
  endpoint: ({ baseUrl }) => ({
    url: endpointUrl(baseUrl, '/v1', '/chat/completions'),
    headers: {},
  }),
})

/** Applications of FastGPT: OpenAI's bodies, with dummy counts, ids and model names. */
export const fastgpt = defineProvider({
  operations: { chat },
  decodeError,
})
