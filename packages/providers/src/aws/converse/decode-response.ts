import {
  type AssistantPart,
  type Citation,
  type DecodedResponse,
  type JsonObject,
  listOf,
  objectOf,
  outputToolName,
  type ReasoningPart,
  textOf,
} from '@tollgate/formats'
import { decodeError } from '../error.ts'
import { readCitation } from './citation.ts'
import { stopReasonOf } from './stop.ts'
import { readUsage } from './usage.ts'

/** Reads a 2xx answer; what holds no message is a failure. Never throws. */
export function decodeResponse(body: unknown): DecodedResponse {
  const response = objectOf(body)
  const message = objectOf(objectOf(response.output).message)
  if (!Array.isArray(message.content))
    return { ok: false, error: decodeError({ status: 200, headers: {}, body: JSON.stringify(body) ?? '' }) }
  const blocks = message.content.map(objectOf)
  const parts = blocks.flatMap(partsOf)
  const citations = blocks.flatMap(citationsOf)
  const calls = parts.filter(({ type }) => type === 'tool-call').length
  const candidate = {
    index: 0,
    parts,
    stop: { reason: stopReasonOf(textOf(response.stopReason), calls) },
    ...(citations.length > 0 && { citations }),
  }
  const usage = readUsage(response.usage)
  return { ok: true, response: { id: '', model: '', createdAt: 0, candidates: [candidate], usage } }
}

function partsOf(block: JsonObject): readonly AssistantPart[] {
  if (typeof block.text === 'string') return textPart(block.text)
  if (block.toolUse !== undefined) return [callOf(objectOf(block.toolUse))]
  if (block.reasoningContent !== undefined) return [reasoningOf(objectOf(block.reasoningContent))]
  const cited = listOf(objectOf(block.citationsContent).content)
  return textPart(cited.map((piece) => textOf(objectOf(piece).text)).join(''))
}

function textPart(text: string): readonly AssistantPart[] {
  return text === '' ? [] : [{ type: 'text', text }]
}

function callOf({ toolUseId, name, input }: JsonObject): AssistantPart {
  const text = JSON.stringify(input ?? {})
  if (name === outputToolName) return { type: 'text', text }
  return { type: 'tool-call', id: textOf(toolUseId), name: textOf(name), arguments: text }
}

function reasoningOf({ reasoningText, redactedContent }: JsonObject): ReasoningPart {
  const { text, signature } = objectOf(reasoningText)
  const proof = textOf(signature)
  const hidden = textOf(redactedContent)
  return {
    type: 'reasoning',
    text: textOf(text),
    ...(proof !== '' && { signature: { vendor: 'bedrock', value: proof } }),
    ...(hidden !== '' && { encrypted: { vendor: 'bedrock', value: hidden } }),
  }
}

function citationsOf(block: JsonObject): readonly Citation[] {
  return listOf(objectOf(block.citationsContent).citations).flatMap((item) => readCitation(item) ?? [])
}
