import type { ChatCodec, TextFrame } from '../canonical/codec.ts'
import { objectOf, parseJson } from '../json-value.ts'
import { type AnswerForm, formAnswer } from './answer-form.ts'
import { ChunkForm } from './chunk-form.ts'
import { openAiChat } from './codec.ts'
import type { ChunkEncoding } from './encode-stream.ts'

interface FormedEncoding {
  readonly plain: ChunkEncoding
  readonly form: ChunkForm
}

/** Chat Completions for answers of other formats, in the wanted form. */
export function formedChat(form: AnswerForm): ChatCodec<unknown, FormedEncoding> {
  const { encodeStream } = openAiChat
  return {
    ...(openAiChat as ChatCodec<unknown, ChunkEncoding>),
    encodeAnswer: (answer, call) => formAnswer(objectOf(openAiChat.encodeAnswer(answer, call)), form),
    encodeStream: {
      start: (call) => ({ plain: encodeStream.start(call), form: new ChunkForm(form) }),
      step: ({ plain, form }, part) => formed(encodeStream.step(plain, part), form),
      finish: ({ plain, form }, usage) => formed(encodeStream.finish(plain, usage), form),
    },
  }
}

function formed(frames: readonly TextFrame[], form: ChunkForm): readonly TextFrame[] {
  return frames.flatMap((frame) => {
    if (frame.data === '[DONE]') return [...form.end().map(frameOf), frame]
    return form.chunks(objectOf(parseJson(frame.data))).map(frameOf)
  })
}

function frameOf(chunk: object): TextFrame {
  return { data: JSON.stringify(chunk) }
}
