import { decodeErrorBody, objectOf, textOf, type UpstreamCodec } from '@tollgate/formats'
import { bearer } from '../credential.ts'
import { versionedUrl } from '../endpoint-url.ts'
import type { ChannelTarget, FileUploads, Operation, Provider, UpstreamEndpoint } from '../provider.ts'
import { errorKinds } from './error.ts'
import { encodeRequest, userOf } from './request.ts'
import { decodeResponse } from './response.ts'
import { difyStream } from './stream.ts'

const defaultBaseUrl = 'https://api.dify.ai'

const decodeError: Provider['decodeError'] = (failure) => decodeErrorBody(failure, errorKinds)

function endpointAt({ baseUrl }: ChannelTarget, path: string): UpstreamEndpoint {
  return { url: versionedUrl(baseUrl || defaultBaseUrl, '/v1', path), headers: {} }
}

/** https://docs.dify.ai/api-reference/files/file-upload */
const uploads: FileUploads = {
  endpoint: (target) => endpointAt(target, '/files/upload'),
  fields: (request) => ({ user: userOf(request) }),
  decode: (answer) => textOf(objectOf(answer).id) || undefined,
}

interface App {
  /** Agents answer with a stream only. */
  readonly streams: boolean
  /** The steps of a workflow are told among the thoughts. */
  readonly progress: boolean
}

function chatOf({ streams, progress }: App): Operation {
  const codec: UpstreamCodec = {
    format: 'provider:dify',
    encodeRequest: (request, target) => encodeRequest(request, target, streams),
    decodeResponse: (body) => decodeResponse(body, progress),
    decodeStream: difyStream(progress),
    decodeError,
  }
  return {
    format: codec.format,
    codec,
    uploads,
    framing: 'sse',
    streamOptions: false,
    endpoint: (target) => endpointAt(target, '/chat-messages'),
    decodeError,
  }
}

/**
 * Chatflows and agents of Dify; the free field says which. https://docs.dify.ai/api-reference/chat
 * @param progress the steps of a workflow are told among the thoughts
 */
export function createDify(progress: boolean): Provider {
  const chatflow = chatOf({ streams: false, progress })
  const agent = chatOf({ streams: true, progress })
  return {
    id: 'dify',
    defaultBaseUrl,
    credential: { kind: 'headers', headers: bearer },
    modes: ['chat'],
    operation(mode, { other }) {
      if (mode !== 'chat') return undefined
      return other.trim().toLowerCase() === 'agent' ? agent : chatflow
    },
    decodeError,
  }
}

export const dify = createDify(false)
