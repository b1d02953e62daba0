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

/** The wire form of a stream, whatever its events. */
export interface StreamForm {
  readonly contentType: string
  /** Keeps a silent stream alive without being part of the response; absent where every byte would be. */
  readonly ping?: string
  /**
   * The events that end a stream, and what closes it.
   * @param started other events have gone out before them
   * @returns `undefined` where the form has no way to end: the stream breaks off
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

/** Beginnings of a body that is a stream: server-sent events, or a list of chunks. */
const isEvents = /^\s*(?:data|event|id|retry)?:/
const isList = /^\s*\[\s*\{/

/** The framing of a text that begins a stream, whatever its media type says; `undefined` for other texts. */
export function framingOfText(text: string): 'sse' | 'json-array' | undefined {
  if (isEvents.test(text)) return 'sse'
  return isList.test(text) ? 'json-array' : undefined
}

/** The scanner of a body that is a stream, whatever its media type says; `undefined` for other bodies. */
export function scannerOfBody(
  text: string,
  framing: Framing,
  maxFrameBytes: number,
): FrameScanner | undefined {
  const found = framingOfText(text) ?? (framing === 'ndjson' ? framing : undefined)
  return found && scannerFor(found, maxFrameBytes)
}

/** The scanner that splits a streamed response into its events. Messages of a WebSocket come as lines of JSON. */
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
