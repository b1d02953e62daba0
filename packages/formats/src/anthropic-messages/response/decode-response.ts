import type { DecodedResponse } from '../../canonical/codec.ts'
import { outputToolName } from '../../canonical/instructions.ts'
import type { AssistantPart } from '../../canonical/request.ts'
import { type Candidate, type Citation, citedRange, type Stop } from '../../canonical/response.ts'
import { isObject, type JsonObject, listOf, objectOf, textOf } from '../../json/value.ts'
import { attachSignatures, type DetachedSignature } from '../../requests/foreign-signatures.ts'
import { unfinished } from '../../streams/call-arguments.ts'
import { decodeCitation, decodeRedacted, decodeThinking, unknownBlock } from '../blocks.ts'
import { decodeError } from './error.ts'
import { decodeStop } from './stop.ts'
import { addRun, type RanTools, readUsage } from './usage.ts'

/** Reads a 2xx response; an error in it, or anything but a message, is a failure. Never throws. */
export function decodeResponse(body: unknown): DecodedResponse {
  const message = objectOf(body)
  if (message.type === 'error' || isObject(message.error) || !Array.isArray(message.content))
    return { ok: false, error: decodeError({ status: 200, headers: {}, body: JSON.stringify(body) ?? '' }) }
  const blocks = withCutCall(message.content.map(objectOf), message.stop_reason)
  const leftOut = [...blocks.flatMap(unknownName), ...blocks.flatMap(unknownCitations)]
  return {
    ok: true,
    response: {
      id: textOf(message.id),
      model: textOf(message.model),
      createdAt: 0,
      candidates: [candidateOf(message, blocks)],
      usage: readUsage(message.usage, blocks.reduce<RanTools>(addRun, new Map())),
      ...(leftOut.length > 0 && { leftOut }),
    },
  }
}

/**
 * The input of a call that the limit cut is an object nevertheless, with what came of it: it counts as text that ends within.
 * https://platform.claude.com/docs/en/build-with-claude/handling-stop-reasons#max-tokens
 */
function withCutCall(blocks: readonly JsonObject[], stopReason: unknown): readonly JsonObject[] {
  const last = blocks.at(-1)
  if (stopReason !== 'max_tokens' || last?.type !== 'tool_use' || !isObject(last.input)) return blocks
  return blocks.with(-1, { ...last, input: unfinished(JSON.stringify(last.input)) })
}

const knownBlocks: ReadonlySet<unknown> = new Set(['text', 'thinking', 'redacted_thinking', 'tool_use'])

function unknownName({ type }: JsonObject, index: number): readonly string[] {
  if (knownBlocks.has(type)) return []
  return unknownBlock(textOf(type), index).flatMap((part) => (part.type === 'left-out' ? [part.name] : []))
}

/** Citations of the caller's own documents have no address, which other formats cite by. */
function unknownCitations({ citations }: JsonObject, index: number): readonly string[] {
  const types = listOf(citations)
    .map(objectOf)
    .filter((item) => decodeCitation(item) === undefined)
  return types.map(({ type }) => `content[${index}].citations (${textOf(type)})`)
}

function candidateOf(message: JsonObject, blocks: readonly JsonObject[]): Candidate {
  const citations = citationsIn(blocks)
  const parts = attachSignatures(blocks.flatMap(partsOf))
  return {
    index: 0,
    parts,
    stop: stopOf(message, parts),
    ...(citations.length > 0 && { citations }),
  }
}

/** A response that the JSON tool carries ends like any other text, not with a call. */
function stopOf({ stop_reason, stop_sequence }: JsonObject, parts: readonly AssistantPart[]): Stop {
  const stop = decodeStop(textOf(stop_reason), stop_sequence)
  const calls = parts.some(({ type }) => type === 'tool-call')
  return stop.reason === 'tool-calls' && !calls ? { reason: 'stop' } : stop
}

/** Returns what a block says is drawn from the sources of that block. */
function citationsIn(blocks: readonly JsonObject[]): readonly Citation[] {
  let start = 0
  return blocks.flatMap((block) => {
    const { length } = block.type === 'text' ? textOf(block.text) : ''
    const position = citedRange(start, start + length)
    start += length
    return listOf(block.citations).flatMap((item) => {
      const citation = decodeCitation(objectOf(item))
      return citation === undefined ? [] : [{ ...citation, ...position }]
    })
  })
}

/** Blocks of the vendor's own tools add nothing to the texts around them. */
function partsOf(block: JsonObject): readonly (AssistantPart | DetachedSignature)[] {
  switch (block.type) {
    case 'text':
      return textOf(block.text) === '' ? [] : [{ type: 'text', text: textOf(block.text) }]
    case 'thinking':
      return decodeThinking(block)
    case 'redacted_thinking':
      return [decodeRedacted(block)]
    case 'tool_use':
      return [callOf(block)]
    default:
      return []
  }
}

function callOf({ id, name, input }: JsonObject): AssistantPart {
  // Some compatible upstreams give the arguments as text.
  const text = typeof input === 'string' ? input : JSON.stringify(input ?? {})
  if (name === outputToolName) return { type: 'text', text }
  return { type: 'tool-call', id: textOf(id), name: textOf(name), arguments: text === '' ? '{}' : text }
}
