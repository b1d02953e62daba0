import {
  audioTypeOf,
  ByteStreamReader,
  EventStreamReader,
  type OpenAiRequest,
  OpenAiStreamReader,
  type StreamReader,
  textOf,
  type Usage,
} from '@tollgate/formats'
import type { CallIdentity, Operation } from '@tollgate/providers'
import { normalizeFor } from './received-response.ts'
import { byteForm, eventForm, type StreamForm } from './stream-form.ts'

/** Streaming of a mode's responses. */
export interface PlainStreams {
  readonly form: StreamForm
  /** The caller requested events; audio streams without a request. */
  readonly requested: boolean
  isStreamed(operation: Operation): boolean
  /** See `CallRequest.streamType`. */
  readonly type?: (upstreamType: string) => string | undefined
  reader(operation: Operation, maxFrameBytes: number, call: CallIdentity): StreamReader
}

/** @param knownUsage the usage, where the request determines it */
export function plainStreams(request: OpenAiRequest, knownUsage: Usage | undefined): PlainStreams {
  if (request.mode === 'speech')
    return request.body.stream_format === 'sse' ? events('audio', true) : recording(request, knownUsage)
  const isForImages = request.mode === 'images' || request.mode === 'image-edits'
  return isForImages ? events('image', request.stream) : completion(request)
}

function completion({ stream, includeUsage }: OpenAiRequest): PlainStreams {
  return {
    form: eventForm,
    requested: stream,
    isStreamed: () => stream,
    reader: (operation, maxFrameBytes, call) =>
      new OpenAiStreamReader({
        includeUsage,
        maxFrameBytes,
        ...normalizeFor(operation, call),
        decodeError: (failure) => operation.decodeError(failure),
      }),
  }
}

/** @param output what is made */
function events(output: 'image' | 'audio' | 'text', requested: boolean): PlainStreams {
  return {
    form: eventForm,
    requested,
    isStreamed: () => requested,
    reader: (operation, maxFrameBytes) =>
      new EventStreamReader({
        output,
        maxFrameBytes,
        decodeError: (failure) => operation.decodeError(failure),
      }),
  }
}

/** The bytes of the audio. An upstream with a format of its own sends them buffered. */
function recording({ body }: OpenAiRequest, knownUsage: Usage | undefined): PlainStreams {
  const defaultType = audioTypeOf(textOf(body.response_format) || 'mp3') ?? 'audio/mpeg'
  return {
    form: byteForm,
    requested: false,
    isStreamed: ({ plain }) => plain === undefined,
    type: (upstreamType) => audioType(upstreamType, defaultType),
    reader: () => new ByteStreamReader(knownUsage),
  }
}

const sendableAudioType = /^audio\/[a-z0-9.+-]+(\s*;[ -~]*)?$/i

/** Passes only audio, so that no browser renders an upstream's bytes as a page of ours. */
function audioType(upstreamType: string, defaultType: string): string | undefined {
  if (sendableAudioType.test(upstreamType)) return upstreamType
  return upstreamType === '' || upstreamType.startsWith('application/octet-stream') ? defaultType : undefined
}
