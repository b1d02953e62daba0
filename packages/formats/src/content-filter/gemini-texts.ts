import type { TextFrame } from '../canonical/codec.ts'
import { encodeUsage } from '../gemini/usage.ts'
import { isObject, listOf, objectOf } from '../json-value.ts'
import type { Usage } from '../usage.ts'
import {
  type MutableObject,
  numbered,
  type ResponseTexts,
  type StreamEnding,
  type TextSlot,
  textsBelow,
} from './text-slots.ts'

function partsOf(candidate: MutableObject): readonly MutableObject[] {
  return listOf(objectOf(candidate.content).parts).filter(isObject) as readonly MutableObject[]
}

function pieceOf(index: number, part: MutableObject): readonly TextSlot[] {
  if (typeof part.text !== 'string') return []
  return [{ candidate: index, kind: part.thought === true ? 'thought' : 'text', holder: part, key: 'text' }]
}

export const geminiTexts: ResponseTexts = {
  pieces: ({ candidates }) =>
    numbered(candidates).flatMap(([index, candidate]) =>
      partsOf(candidate).flatMap((part) => pieceOf(index, part)),
    ),
  /** Calls come whole. */
  completeTexts: ({ candidates }) =>
    numbered(candidates).flatMap(([index, candidate]) =>
      partsOf(candidate).flatMap((part) => textsBelow(part.functionCall, index)),
    ),
  body: ({ candidates }) =>
    numbered(candidates).flatMap(([index, candidate]) => textsBelow(candidate.content, index)),
  stop({ candidates }, { candidate: stopped }) {
    for (const [index, candidate] of numbered(candidates)) {
      if (index !== stopped) continue
      candidate.finishReason = 'SAFETY'
      const content = objectOf(candidate.content) as MutableObject
      content.parts = partsOf(candidate).filter((part) => !('functionCall' in part))
    }
  },
  startEnding: () => new CandidateEnding(),
}

class CandidateEnding implements StreamEnding {
  #head: MutableObject = {}
  readonly #open = new Set<number>()

  note({ candidates, modelVersion, responseId }: MutableObject): void {
    this.#head = { modelVersion, responseId }
    for (const [index, candidate] of numbered(candidates)) {
      if (typeof candidate.finishReason === 'string') this.#open.delete(index)
      else this.#open.add(index)
    }
  }

  frames(usage: Usage): readonly TextFrame[] {
    const open = this.#open.size === 0 ? [0] : [...this.#open]
    const candidates = open.map((index) => ({
      content: { parts: [], role: 'model' },
      finishReason: 'SAFETY',
      index,
    }))
    return [{ data: JSON.stringify({ candidates, usageMetadata: encodeUsage(usage), ...this.#head }) }]
  }
}
