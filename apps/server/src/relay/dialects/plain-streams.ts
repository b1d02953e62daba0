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

/** How answers of a mode come piece by piece. */
export interface PlainStreams {
  readonly form: StreamForm
  /** Events were asked for; a recording streams unasked. */
  readonly requested: boolean
  isStreamed(operation: Operation): boolean
  /** See `CallRequest.streamType`. */
  readonly type?: (upstreamType: string) => string | undefined
  reader(operation: Operation, maxFrameBytes: number, call: CallIdentity): StreamReader
}

/** @param knownUsage what the call uses, where the request tells it */
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

/** The audio itself. An upstream with a form of its own sends it whole. */
function recording({ body }: OpenAiRequest, knownUsage: Usage | undefined): PlainStreams {
  const usualType = audioTypeOf(textOf(body.response_format) || 'mp3') ?? 'audio/mpeg'
  return {
    form: byteForm,
    requested: false,
    isStreamed: ({ plain }) => plain === undefined,
    type: (upstreamType) => audioType(upstreamType, usualType),
    reader: () => new ByteStreamReader(knownUsage),
  }
}

const sendableAudioType = /^audio\/[a-z0-9.+-]+(\s*;[ -~]*)?$/i

/** A browser must not take an upstream's bytes for a page of ours: nothing but audio passes. */
function audioType(upstreamType: string, usualType: string): string | undefined {
  if (sendableAudioType.test(upstreamType)) return upstreamType
  return upstreamType === '' || upstreamType.startsWith('application/octet-stream') ? usualType : undefined
}
