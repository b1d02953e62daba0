import type { ChatCodec, TextFrame } from '../canonical/codec.ts'
import { objectOf, parseJson } from '../json-value.ts'
import { ChunkStyler } from './chunk-styler.ts'
import { openAiChat } from './codec.ts'
import type { ChunkEncoding } from './encode-stream.ts'
import { applyStyle, type ResponseStyle } from './response-style.ts'

interface StyledEncoding {
  readonly plain: ChunkEncoding
  readonly form: ChunkStyler
}

/** Chat Completions for answers of other formats, in the wanted form. */
export function styledChat(form: ResponseStyle): ChatCodec<unknown, StyledEncoding> {
  const { encodeStream } = openAiChat
  return {
    ...(openAiChat as ChatCodec<unknown, ChunkEncoding>),
    encodeResponse: (response, call) => applyStyle(objectOf(openAiChat.encodeResponse(response, call)), form),
    encodeStream: {
      start: (call) => ({ plain: encodeStream.start(call), form: new ChunkStyler(form) }),
      step: ({ plain, form }, part) => formed(encodeStream.step(plain, part), form),
      finish: ({ plain, form }, usage) => formed(encodeStream.finish(plain, usage), form),
    },
  }
}

function formed(frames: readonly TextFrame[], form: ChunkStyler): readonly TextFrame[] {
  return frames.flatMap((frame) => {
    if (frame.data === '[DONE]') return [...form.end().map(frameOf), frame]
    return form.chunks(objectOf(parseJson(frame.data))).map(frameOf)
  })
}

function frameOf(chunk: object): TextFrame {
  return { data: JSON.stringify(chunk) }
}
