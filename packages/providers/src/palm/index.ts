import { gemini } from '@tollgate/formats'
import { fillModel, versionedUrl } from '../endpoint-url.ts'
import { namesIn } from '../openai-compatible.ts'
import type { Operation, Provider } from '../provider.ts'
import { palmCodec } from './codec.ts'

const defaultBaseUrl = 'https://generativelanguage.googleapis.com'
const onlyModel = 'chat-bison-001'

const generateMessage: Operation = {
  format: 'provider:palm',
  codec: palmCodec,
  // One object, not a list of them: the answer as its only event.
  framing: 'json-array',
  streamOptions: false,
  endpoint: ({ baseUrl, upstreamModel }) => {
    const model = /bison/i.test(upstreamModel) ? upstreamModel : onlyModel
    const path = fillModel('/models/{model}:generateMessage', model.replace(/^models\//, ''))
    return { url: versionedUrl(baseUrl || defaultBaseUrl, '/v1beta2', path), headers: {} }
  },
  decodeError: gemini.decodeError,
}

/** PaLM 2, which Google has switched off: for channels of old, and for stand-ins that still speak its form. */
export const palm: Provider = {
  id: 'palm',
  defaultBaseUrl,
  credential: {
    kind: 'headers',
    headers: ({ key }) => (key === '' ? {} : { 'x-goog-api-key': key }),
  },
  modes: ['chat'],
  operation: (mode) => (mode === 'chat' ? generateMessage : undefined),
  models: {
    endpoint: ({ baseUrl }) => ({
      url: versionedUrl(baseUrl || defaultBaseUrl, '/v1beta', '/models?pageSize=1000'),
      headers: {},
    }),
    decode: (body) => namesIn(body, 'models', 'name').map((name) => name.replace(/^models\//, '')),
  },
  decodeError: gemini.decodeError,
}
