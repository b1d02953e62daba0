import type { AssistantPart, ReasoningPart, Signature } from '../canonical/request.ts'
import { type JsonObject, textOf } from '../json-value.ts'
import { type Mark, readMark, writeMark } from './marks.ts'

/** A signature of another vendor that stands in a block of its own, beside the part that it signs. */
export interface SideMark {
  readonly type: 'mark'
  readonly mark: Mark
}

function anthropicSignature(value: string): Signature {
  return { vendor: 'anthropic', value }
}

/** Reads `thinking`. A block without signature came from an upstream that signs nothing. */
export function decodeThinking(block: JsonObject): ReasoningPart {
  const text = textOf(block.thinking)
  const opaque = textOf(block.signature)
  const mark = readMark(opaque)
  if (mark === undefined)
    return { type: 'reasoning', text, ...(opaque !== '' && { signature: anthropicSignature(opaque) }) }
  if (mark.signature === undefined) return { type: 'reasoning', text }
  return mark.kind === 'encrypted'
    ? { type: 'reasoning', text, encrypted: mark.signature }
    : { type: 'reasoning', text, signature: mark.signature }
}

/** Reads `redacted_thinking`: thoughts that are encrypted, or the signature of a text or call of another vendor. */
export function decodeRedacted(block: JsonObject): ReasoningPart | SideMark {
  const data = textOf(block.data)
  const mark = readMark(data)
  if (mark?.kind === 'text' || mark?.kind === 'tool-call') return { type: 'mark', mark }
  const encrypted = mark === undefined ? anthropicSignature(data) : mark.signature
  return { type: 'reasoning', text: '', ...(encrypted && { encrypted }) }
}

/** Gives the signatures back to their parts: a text's stands behind it, a call's before it. */
export function settleMarks(items: readonly (AssistantPart | SideMark)[]): AssistantPart[] {
  const parts: AssistantPart[] = []
  let forCall: Signature | undefined
  for (const item of items) {
    if (item.type === 'mark') {
      if (item.mark.kind === 'tool-call') forCall = item.mark.signature
      else signText(parts, item.mark.signature)
    } else if (item.type === 'tool-call' && forCall !== undefined) {
      parts.push({ ...item, signature: forCall })
      forCall = undefined
    } else parts.push(item)
  }
  return parts
}

function signText(parts: AssistantPart[], signature: Signature | undefined): void {
  const last = parts.at(-1)
  if (last?.type === 'text' && signature !== undefined) parts[parts.length - 1] = { ...last, signature }
}

/** Thoughts as a caller of this format gets them, whoever thought them. */
export function encodeReasoning(part: ReasoningPart): readonly JsonObject[] {
  const { text, signature, encrypted } = part
  const blocks: JsonObject[] = []
  const inOneBlock = encrypted !== undefined && encrypted.vendor !== 'anthropic' && text !== '' && !signature
  if (text !== '' || signature !== undefined || encrypted === undefined) {
    const opaque = inOneBlock ? writeMark('encrypted', encrypted) : encodeSignature(signature)
    blocks.push({ type: 'thinking', thinking: text, signature: opaque })
  }
  if (encrypted !== undefined && !inOneBlock) blocks.push(redactedBlock(encodeEncrypted(encrypted)))
  return blocks
}

/** Value of `signature` in a thinking block. */
export function encodeSignature(signature: Signature | undefined): string {
  if (signature === undefined) return writeMark('unsigned')
  return signature.vendor === 'anthropic' ? signature.value : writeMark('reasoning', signature)
}

/** Value of `data` in a redacted thinking block. */
export function encodeEncrypted(encrypted: Signature): string {
  return encrypted.vendor === 'anthropic' ? encrypted.value : writeMark('encrypted', encrypted)
}

export function redactedBlock(data: string): JsonObject {
  return { type: 'redacted_thinking', data }
}
