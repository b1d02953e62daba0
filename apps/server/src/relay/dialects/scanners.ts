import {
  AwsEventStreamScanner,
  type FrameScanner,
  JsonArrayScanner,
  NdjsonScanner,
  SseFieldScanner,
  SseScanner,
} from '@tollgate/formats'
import type { Framing } from '@tollgate/providers'

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
