import type { DecodedResponse } from '../../canonical/codec.ts'
import type { AssistantPart } from '../../canonical/request.ts'
import type { Candidate, Citation, Stop } from '../../canonical/response.ts'
import { isObject, type JsonObject, listOf, objectOf, textOf } from '../../json/value.ts'
import { attachSignatures, type DetachedSignature } from '../../requests/foreign-signatures.ts'
import { unfinished } from '../../streams/call-arguments.ts'
import { outputToolName } from '../request/encode-tools.ts'
import { decodeCitation, decodeRedacted, decodeThinking } from './blocks.ts'
import { decodeError } from './error.ts'
import { decodeStop } from './stop.ts'
import { readUsage, toolsThatRan } from './usage.ts'

/** Reads a 2xx response; an error in it, or anything but a message, is a failure. Never throws. */
export function decodeResponse(body: unknown): DecodedResponse {
  const message = objectOf(body)
  if (message.type === 'error' || isObject(message.error) || !Array.isArray(message.content))
    return { ok: false, error: decodeError({ status: 200, headers: {}, body: JSON.stringify(body) ?? '' }) }
  const blocks = withCutCall(message.content.map(objectOf), message.stop_reason)
  return {
    ok: true,
    response: {
      id: textOf(message.id),
      model: textOf(message.model),
      createdAt: 0,
      candidates: [candidateOf(message, blocks)],
      usage: readUsage(message.usage, toolsThatRan(blocks)),
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

function candidateOf(message: JsonObject, blocks: readonly JsonObject[]): Candidate {
  const citations = blocks.flatMap(citationsOf)
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

function citationsOf(block: JsonObject): readonly Citation[] {
  return listOf(block.citations).flatMap((item) => decodeCitation(objectOf(item)) ?? [])
}

/** Blocks of the vendor's own tools add nothing to the texts around them. */
function partsOf(block: JsonObject): readonly (AssistantPart | DetachedSignature)[] {
  switch (block.type) {
    case 'text':
      return textOf(block.text) === '' ? [] : [{ type: 'text', text: textOf(block.text) }]
    case 'thinking':
      return [decodeThinking(block)]
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
