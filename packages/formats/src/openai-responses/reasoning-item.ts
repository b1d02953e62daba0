import type { ReasoningPart } from '../canonical/request.ts'
import { type JsonObject, listOf, objectOf, textOf } from '../json-value.ts'
import { readMark, type SideMark, writeMark } from '../marks.ts'

/**
 * Reads a reasoning item: its summary or text, and what proves it. `undefined` for one that holds neither: what it names
 * is kept by the vendor alone.
 */
export function readReasoningItem(item: JsonObject): ReasoningPart | SideMark | undefined {
  const text = thoughtsIn(item)
  const opaque = textOf(item.encrypted_content)
  if (opaque === '') return text === '' ? undefined : { type: 'reasoning', text }
  const mark = readMark(opaque)
  if (mark === undefined) return { type: 'reasoning', text, encrypted: { vendor: 'openai', value: opaque } }
  if (mark.kind === 'text' || mark.kind === 'tool-call') return { type: 'mark', mark }
  if (mark.signature === undefined) return text === '' ? undefined : { type: 'reasoning', text }
  return mark.kind === 'encrypted'
    ? { type: 'reasoning', text, encrypted: mark.signature }
    : { type: 'reasoning', text, signature: mark.signature }
}

/** The thoughts themselves where the vendor shows them, else the paragraphs of their summary. */
function thoughtsIn(item: JsonObject): string {
  const content = textsIn(item.content)
  return (content.length > 0 ? content : textsIn(item.summary)).join('\n\n')
}

function textsIn(list: unknown): readonly string[] {
  return listOf(list)
    .map((part) => textOf(objectOf(part).text))
    .filter((text) => text !== '')
}

/** Value of `encrypted_content` for callers of this format, whoever thought it. */
export function proofOf({ signature, encrypted }: Pick<ReasoningPart, 'signature' | 'encrypted'>): string {
  if (encrypted?.vendor === 'openai') return encrypted.value
  if (encrypted !== undefined) return writeMark('encrypted', encrypted)
  // Without a mark the vendor of this format would look for thoughts that it never had.
  return signature === undefined ? writeMark('unsigned') : writeMark('reasoning', signature)
}

/** Whether an item holds what another vendor signed. */
export function isMarkedItem(item: unknown): boolean {
  const { type, encrypted_content } = objectOf(item)
  return type === 'reasoning' && readMark(textOf(encrypted_content)) !== undefined
}
