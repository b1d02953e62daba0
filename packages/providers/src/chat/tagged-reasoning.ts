import {
  type AssistantPart,
  type ChatPart,
  openAiChat,
  type StreamDecoder,
  type UpstreamCodec,
} from '@tollgate/formats'
import {
  endTagged,
  newReasoningTagState,
  type ReasoningTagState,
  readTagged,
  type TaggedText,
} from './reasoning-tags.ts'

interface TaggedState {
  readonly chunks: unknown
  /** State of each candidate, by its index. */
  readonly tags: Map<number, ReasoningTagState>
}

const chunks: UpstreamCodec['decodeStream'] = openAiChat.decodeStream

/**
 * Chat Completions of upstreams whose models reason inside `<think>`: callers of other formats get reasoning parts.
 * Callers of the same format get the response unchanged.
 */
export const taggedReasoning: UpstreamCodec = {
  ...openAiChat,
  decodeResponse(body) {
    const reading = openAiChat.decodeResponse(body)
    if (!reading.ok) return reading
    const candidates = reading.response.candidates.map((candidate) => ({
      ...candidate,
      parts: candidate.parts.flatMap(partsOf),
    }))
    return { ok: true, response: { ...reading.response, candidates } }
  },
  decodeStream: {
    start: () => ({ chunks: chunks.start(), tags: new Map() }),
    step: (state, frame) => chunks.step(state.chunks, frame).flatMap((part) => split(state, part)),
    finish: (state) =>
      [...state.tags.keys()]
        .flatMap((candidate) => closed(state, candidate))
        .concat(chunks.finish(state.chunks)),
  } satisfies StreamDecoder<TaggedState>,
}

function partsOf(part: AssistantPart): readonly AssistantPart[] {
  if (part.type !== 'text') return [part]
  const state = newReasoningTagState({ firstOnly: true })
  return [...readTagged(state, part.text), ...endTagged(state)].map(
    (stated) => ({ type: stated.isReasoning ? 'reasoning' : 'text', text: stated.text }) as const,
  )
}

function split(state: TaggedState, part: ChatPart): readonly ChatPart[] {
  if (part.type === 'text-delta')
    return readTagged(tagsOf(state, part.candidate), part.text).map(deltaOf(part.candidate))
  return part.type === 'stop' ? [...closed(state, part.candidate), part] : [part]
}

function tagsOf({ tags }: TaggedState, candidate: number): ReasoningTagState {
  const known = tags.get(candidate) ?? newReasoningTagState({ firstOnly: true })
  tags.set(candidate, known)
  return known
}

function closed(state: TaggedState, candidate: number): readonly ChatPart[] {
  return endTagged(tagsOf(state, candidate)).map(deltaOf(candidate))
}

function deltaOf(candidate: number): (stated: TaggedText) => ChatPart {
  return ({ isReasoning, text }) => ({
    type: isReasoning ? 'reasoning-delta' : 'text-delta',
    candidate,
    text,
  })
}
