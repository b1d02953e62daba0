import type { ToolCalls } from '../canonical/charged-tools.ts'
import type { TextFrame } from '../canonical/codec.ts'
import type { ApiError, UpstreamErrorInfo } from '../errors/upstream-error.ts'
import { FrameTooLargeError, MalformedFrameError, type ScannedFrame } from '../framing/frame.ts'
import type { Usage } from '../usage.ts'
import type { Delivered, StreamOutcome, StreamPhase } from './stream-meter.ts'

/** Results of reading a chunk of upstream bytes. */
export interface StreamStep {
  /** Bytes for the caller, in order. */
  readonly forward: readonly Uint8Array[]
  /** The upstream failed inside its stream, or sent something else. The reader ignores everything after it. */
  readonly error: UpstreamErrorInfo | undefined
  /** The upstream's end mark has come; what follows is not read. The caller's own is in `trailer()`. */
  readonly done: boolean
}

/** Follows one streamed response on its way to the caller. Its end waits for the settlement: it is in `trailer()`. */
export interface StreamReader {
  push(chunk: Uint8Array): StreamStep
  /** Ends the upstream's bytes. */
  end(): StreamStep
  readonly phase: StreamPhase
  readonly outcome: StreamOutcome
  /** The upstream's count; `undefined` when it sent none that can be charged. */
  readonly usage: Usage | undefined
  /** The latest count, whether or not more was delivered after it. */
  readonly latestUsage: Usage | undefined
  /** Tools that the vendor ran so far, for a stream that breaks off before the usage that counts them. */
  readonly toolCalls?: ToolCalls | undefined
  /** Items of the response that its caller does not get, so far: see `ChatPart`. Absent where all of it passes. */
  readonly leftOut?: readonly string[] | undefined
  delivered(): Delivered
  /** Characters delivered so far. */
  readonly deliveredSize: number
  /** Number of images in a response of images, once it is known. */
  readonly made?: number | undefined
  /** One body that passes as it comes: it is worth nothing without its end, so no balance ends it on the way. */
  readonly isWhole?: true | undefined
  /**
   * The closing bytes of a complete stream, once it is charged.
   * @param charged `undefined` without a count
   */
  trailer(charged: Usage | undefined): string
  /**
   * The closing bytes of a stream that the gateway ends at the caller's limit, as an upstream writes them that reached it; absent
   * where responses have no such end.
   */
  lengthTrailer?(charged: Usage | undefined): string
  /**
   * The events that end the stream with an error, where they go on from those that the caller got; `undefined`, or absent,
   * where the format's own do.
   */
  failure?(error: ApiError): readonly TextFrame[] | undefined
}

/** Collects frames that pass as received; frames that lie side by side in one buffer become one piece. */
export class ForwardedFrames {
  #pieces: Uint8Array[] = []
  #first: ScannedFrame | undefined
  #end = 0

  add(frame: ScannedFrame): void {
    if (this.#first?.bytes !== frame.bytes || this.#end !== frame.start) {
      this.#close()
      this.#first = frame
    }
    this.#end = frame.end
  }

  /** Bytes that stand for a frame. */
  addBytes(bytes: Uint8Array): void {
    this.#close()
    this.#pieces.push(bytes)
  }

  /** All that was added since it was last asked for, in order. */
  take(): Uint8Array[] {
    this.#close()
    const pieces = this.#pieces
    this.#pieces = []
    return pieces
  }

  #close(): void {
    if (this.#first === undefined) return
    const { bytes, start } = this.#first
    this.#pieces.push(start === 0 && this.#end === bytes.length ? bytes : bytes.subarray(start, this.#end))
    this.#first = undefined
  }
}

/** Returns what an error of a scanner says of the upstream; other errors are thrown again. */
export function frameFailure(error: unknown): UpstreamErrorInfo {
  if (!(error instanceof FrameTooLargeError || error instanceof MalformedFrameError)) throw error
  return {
    kind: 'upstream_bug',
    status: 502,
    message: error.message,
    type: 'upstream_error',
    code: error instanceof FrameTooLargeError ? 'frame_too_large' : 'malformed_frame',
    param: null,
  }
}
