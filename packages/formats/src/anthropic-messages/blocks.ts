import type { EncodeContext } from '../canonical/codec.ts'
import type { ReasoningPart, Signature } from '../canonical/request.ts'
import type { Citation } from '../canonical/response.ts'
import type { ChatPart } from '../canonical/stream.ts'
import { leftOut } from '../framing/event-shape.ts'
import { type JsonObject, textOf } from '../json/value.ts'
import {
  type DetachedSignature,
  readMarked,
  unwrapSignature,
  wrapSignature,
} from '../requests/foreign-signatures.ts'

/** A text that nothing is cited of, and nothing is said in yet. */
export const textHead: JsonObject = { type: 'text', text: '' }

/** A call that the model made itself, not by code that it wrote; without arguments yet. */
export function callHead(id: string, name: string): JsonObject {
  return { type: 'tool_use', id, name, input: {}, caller: { type: 'direct' } }
}

/** An id for a call of a vendor that gives none: the same for the same call of the same response. */
export function toolUseId(
  id: string,
  { responseId }: Pick<EncodeContext, 'responseId'>,
  call: number,
): string {
  return id === '' ? `toolu_${responseId.replace(/[^a-zA-Z0-9_-]/g, '')}_${call}` : id
}

/** Blocks of the vendor's own tools, which add nothing to the texts around them. */
const repeatedBlocks: ReadonlySet<string> = new Set([
  '',
  'server_tool_use',
  'web_search_tool_result',
  'web_fetch_tool_result',
  'code_execution_tool_result',
  'bash_code_execution_tool_result',
  'text_editor_code_execution_tool_result',
  'tool_search_tool_result',
])

/** Names a block that other formats have no form for; nothing for one that the texts repeat. */
export function unknownBlock(type: string, index: number): readonly ChatPart[] {
  return repeatedBlocks.has(type) ? [] : [leftOut(`content[${index}]`, type)]
}

/** Citations of the web and of search results have an address; those of the caller's own documents have none. */
export function decodeCitation(citation: JsonObject): Citation | undefined {
  const url = textOf(citation.url) || textOf(citation.source)
  if (url === '') return undefined
  const title = textOf(citation.title) || textOf(citation.document_title)
  return { url, title, text: textOf(citation.cited_text) }
}

/** Writes a citation. The index is for the vendor that searched; the mark keeps ours from being sent to it. */
export function encodeCitation({ url, title, text }: Citation): JsonObject {
  return {
    type: 'web_search_result_location',
    url,
    title,
    cited_text: text,
    encrypted_index: wrapSignature('citation'),
  }
}

function anthropicSignature(value: string): Signature {
  return { vendor: 'anthropic', value }
}

/**
 * Reads `thinking`: reasoning, or another vendor's signature of a text or call, and both where a client joined them. A block
 * without signature came from an upstream that signs nothing.
 */
export function decodeThinking(block: JsonObject): readonly (ReasoningPart | DetachedSignature)[] {
  const text = textOf(block.thinking)
  const opaque = textOf(block.signature)
  const mark = unwrapSignature(opaque)
  if (mark !== undefined) return readMarked(text, mark)
  return [{ type: 'reasoning', text, ...(opaque !== '' && { signature: anthropicSignature(opaque) }) }]
}

/**
 * Reads `redacted_thinking`: encrypted reasoning, or another vendor's signature of a text or call, as conversations hold it
 * that began before 2026-11-28.
 */
export function decodeRedacted(block: JsonObject): ReasoningPart | DetachedSignature {
  const data = textOf(block.data)
  const mark = unwrapSignature(data)
  if (mark?.kind === 'text' || mark?.kind === 'tool-call') return { type: 'mark', mark }
  const encrypted = mark === undefined ? anthropicSignature(data) : mark.signature
  return { type: 'reasoning', text: '', ...(encrypted && { encrypted }) }
}

/** A block with reasoning, or with none of it for the sake of a signature. */
export function thinkingBlock(thinking: string, signature: string): JsonObject {
  return { type: 'thinking', thinking, signature }
}

/** Reasoning as a caller of this format reads it, from any vendor. */
export function encodeReasoning(part: ReasoningPart): readonly JsonObject[] {
  const { text, signature, encrypted } = part
  const blocks: JsonObject[] = []
  const inOneBlock = encrypted !== undefined && encrypted.vendor !== 'anthropic' && text !== '' && !signature
  if (text !== '' || signature !== undefined || encrypted === undefined) {
    const opaque = inOneBlock ? wrapSignature('encrypted', encrypted) : encodeSignature(signature)
    blocks.push(thinkingBlock(text, opaque))
  }
  if (encrypted !== undefined && !inOneBlock) blocks.push(redactedBlock(encodeEncrypted(encrypted)))
  return blocks
}

/** Value of `signature` in a thinking block. */
export function encodeSignature(signature: Signature | undefined): string {
  if (signature === undefined) return wrapSignature('unsigned')
  return signature.vendor === 'anthropic' ? signature.value : wrapSignature('reasoning', signature)
}

/** Value of `data` in a redacted thinking block. */
export function encodeEncrypted(encrypted: Signature): string {
  return encrypted.vendor === 'anthropic' ? encrypted.value : wrapSignature('encrypted', encrypted)
}

/** A block with reasoning that only its vendor can read. */
export function redactedBlock(data: string): JsonObject {
  return { type: 'redacted_thinking', data }
}
