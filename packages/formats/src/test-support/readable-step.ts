import type { Frame, StreamDecoder } from '../canonical/codec.ts'
import type { ChatPart } from '../canonical/stream.ts'
import { MalformedFrameError } from '../framing/index.ts'

/** Returns what a frame says; nothing when it cannot be read. Any other error is thrown on. */
export function readableStep<State>(
  decoder: StreamDecoder<State>,
  state: State,
  frame: Frame,
): readonly ChatPart[] {
  try {
    return decoder.step(state, frame)
  } catch (error) {
    if (error instanceof MalformedFrameError) return []
    throw error
  }
}
