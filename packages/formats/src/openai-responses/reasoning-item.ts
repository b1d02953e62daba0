import type { ReasoningPart } from '../canonical/request.ts'
import { type DetachedSignature, unwrapSignature, wrapSignature } from '../foreign-signatures.ts'
import { type JsonObject, listOf, objectOf, textOf } from '../json-value.ts'

/**
 * Reads a reasoning item: its summary or text, and what proves it. `undefined` for one that holds neither: what it names
 * is kept by the vendor alone.
 */
export function readReasoningItem(item: JsonObject): ReasoningPart | DetachedSignature | undefined {
  const text = reasoningIn(item)
  const opaque = textOf(item.encrypted_content)
  if (opaque === '') return text === '' ? undefined : { type: 'reasoning', text }
  const mark = unwrapSignature(opaque)
  if (mark === undefined) return { type: 'reasoning', text, encrypted: { vendor: 'openai', value: opaque } }
  if (mark.kind === 'text' || mark.kind === 'tool-call') return { type: 'mark', mark }
  if (mark.signature === undefined) return text === '' ? undefined : { type: 'reasoning', text }
  return mark.kind === 'encrypted'
    ? { type: 'reasoning', text, encrypted: mark.signature }
    : { type: 'reasoning', text, signature: mark.signature }
}

/** The thoughts themselves where the vendor shows them, else the paragraphs of their summary. */
function reasoningIn(item: JsonObject): string {
  const content = textsIn(item.content)
  return (content.length > 0 ? content : textsIn(item.summary)).join('\n\n')
}

function textsIn(list: unknown): readonly string[] {
  return listOf(list)
    .map((part) => textOf(objectOf(part).text))
    .filter((text) => text !== '')
}

/** Value of `encrypted_content` for callers of this format, whoever thought it. */
export function encryptedContentOf({
  signature,
  encrypted,
}: Pick<ReasoningPart, 'signature' | 'encrypted'>): string {
  if (encrypted?.vendor === 'openai') return encrypted.value
  if (encrypted !== undefined) return wrapSignature('encrypted', encrypted)
  // Without a mark the vendor of this format would look for thoughts that it never had.
  return signature === undefined ? wrapSignature('unsigned') : wrapSignature('reasoning', signature)
}

/** Whether an item holds what another vendor signed. */
export function isForeignReasoning(item: unknown): boolean {
  const { type, encrypted_content } = objectOf(item)
  return type === 'reasoning' && unwrapSignature(textOf(encrypted_content)) !== undefined
}
