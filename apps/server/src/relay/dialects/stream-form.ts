import {
  AwsEventStreamScanner,
  type FrameScanner,
  type FrameWriter,
  JsonArrayScanner,
  JsonArrayWriter,
  NdjsonScanner,
  SseFieldScanner,
  SseScanner,
  sseWriter,
  type TextFrame,
} from '@tollgate/formats'
import type { Framing } from '@tollgate/providers'

/** What a stream looks like to its caller, whatever its events say. */
export interface StreamForm {
  readonly contentType: string
  /** Keeps a silent stream alive without being part of the answer; absent where all bytes are. */
  readonly ping?: string
  /**
   * The events that end a stream, and what closes it.
   * @param begun other events have gone out before them
   * @returns `undefined` where nothing can be said: the stream breaks off
   */
  last(events: readonly TextFrame[], started: boolean): string | undefined
}

/** Server-sent events. */
export const eventForm: StreamForm = {
  contentType: 'text/event-stream; charset=utf-8',
  ping: ': PING\n\n',
  last: (events) => written(events, sseWriter),
}

/** Events of a call that cannot begin before its upstream does. */
export const silentEventForm: StreamForm = {
  contentType: eventForm.contentType,
  last: eventForm.last,
}

/** One JSON list. White space between two of its elements says nothing. */
export const arrayForm: StreamForm = {
  contentType: 'application/json; charset=utf-8',
  ping: '\n',
  last: (events, started) => written(events, new JsonArrayWriter(started)),
}

/** The bytes of a recording. */
export const byteForm: StreamForm = { contentType: 'application/octet-stream', last: () => undefined }

function written(events: readonly TextFrame[], writer: FrameWriter): string {
  return events.map((event) => writer.write(event)).join('') + writer.end()
}

/** What cuts a streamed answer into its events. Messages of a WebSocket come as lines of JSON. */
export function scannerFor(framing: Framing, maxFrameBytes: number): FrameScanner {
  switch (framing) {
    case 'sse':
      return new SseScanner(maxFrameBytes)
    case 'sse-fields':
      return new SseFieldScanner(maxFrameBytes)
    case 'ndjson':
    case 'websocket':
      return new NdjsonScanner(maxFrameBytes)
    case 'json-array':
      return new JsonArrayScanner(maxFrameBytes)
    case 'aws-event-stream':
      return new AwsEventStreamScanner(maxFrameBytes)
  }
}
