import {
  type ChatRequest,
  type EncodedRequest,
  type EncodeTarget,
  RequestFault,
  unsupported,
} from '@tollgate/formats'
import { droppedByApplication, textOfMessage } from '../application-request.ts'
import { bearer } from '../credential.ts'
import type { Operation, Provider } from '../provider.ts'
import { decodeError, decodeResponse, decodeStream } from './response.ts'

const defaultBaseUrl = 'https://api.aiproxy.io'

/** A library answers one question; what was said before is not asked again. */
function encodeRequest(request: ChatRequest, { model }: EncodeTarget, libraryId: string): EncodedRequest {
  const lost = droppedByApplication(request, 'provider:aiproxy-library')
  const { messages, stream } = request
  const last = messages.at(-1)
  const file = last?.parts.find((part) => part.type === 'media')
  if (file !== undefined)
    throw unsupported(`messages[${messages.length - 1}].content`, `the library takes no ${file.kind}`)
  const query = last === undefined ? '' : textOfMessage(last, messages.length - 1)
  if (query === '')
    throw new RequestFault('The last message holds no text to ask the library.', 'messages', 'invalid_value')
  const dropped = messages.length > 1 ? ['messages before the last', ...lost] : lost
  return { body: { model, query, libraryId, stream }, dropped }
}

function askLibrary(libraryId: string): Operation {
  const format = 'provider:aiproxy-library'
  return {
    format,
    codec: {
      format,
      encodeRequest: (request, target) => encodeRequest(request, target, libraryId),
      decodeResponse,
      decodeStream,
      decodeError,
    },
    framing: 'sse',
    streamOptions: false,
    endpoint: ({ baseUrl }) => ({ url: `${baseUrl || defaultBaseUrl}/api/library/ask`, headers: {} }),
    decodeError,
  }
}

/** Questions to a knowledge base at AI Proxy; the free field names it. */
export const aiproxyLibrary: Provider = {
  id: 'aiproxy-library',
  defaultBaseUrl,
  credential: { kind: 'headers', headers: bearer },
  modes: ['chat'],
  operation: (mode, { other }) => (mode === 'chat' ? askLibrary(other.trim()) : undefined),
  decodeError,
}
