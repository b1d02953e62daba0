import type { ReasoningPart, Signature } from '../canonical/request.ts'
import { type JsonObject, listOf, objectOf, textOf } from '../json-value.ts'

/**
 * Signed and encrypted thoughts as OpenRouter shows them to callers of this format, who send them back unchanged: the
 * only way in which a vendor's signature survives a conversation here.
 * https://openrouter.ai/docs/use-cases/reasoning-tokens
 */
const vendors: ReadonlyMap<unknown, Signature['vendor']> = new Map([
  ['anthropic-claude-v1', 'anthropic'],
  ['google-gemini-v1', 'gemini'],
  ['openai-responses-v1', 'openai'],
  ['azure-openai-responses-v1', 'openai'],
  ['amazon-bedrock-v1', 'bedrock'],
])

const formats = {
  anthropic: 'anthropic-claude-v1',
  gemini: 'google-gemini-v1',
  openai: 'openai-responses-v1',
  bedrock: 'amazon-bedrock-v1',
} as const satisfies Record<Signature['vendor'], string>

/** Thoughts of a message or a delta, from whichever field has them; several name the same thoughts. */
export function readReasoning(message: JsonObject): readonly ReasoningPart[] {
  const plain = textOf(message.reasoning_content) || textOf(message.reasoning)
  const details = message.reasoning_details === undefined ? none : readDetails(message.reasoning_details)
  if (details.length === 0) return plain === '' ? none : [{ type: 'reasoning', text: plain }]
  // Some give the text beside the details and only a proof of it inside.
  const hasText = plain === '' || details.some(({ text }) => text !== '')
  return hasText ? details : [{ type: 'reasoning', text: plain }, ...details]
}

const none: readonly never[] = []

function readDetails(details: unknown): readonly ReasoningPart[] {
  return listOf(details).flatMap((detail) => readDetail(objectOf(detail)) ?? [])
}

/** `undefined` for a detail that says nothing, or that nobody can read. */
function readDetail(detail: JsonObject): ReasoningPart | undefined {
  const vendor = vendors.get(detail.format)
  const data = textOf(detail.data)
  if (data !== '') {
    return vendor && { type: 'reasoning', text: '', encrypted: { vendor, value: data } }
  }
  const text = textOf(detail.text) || textOf(detail.summary)
  const value = textOf(detail.signature)
  if (vendor !== undefined && value !== '') return { type: 'reasoning', text, signature: { vendor, value } }
  return text === '' ? undefined : { type: 'reasoning', text }
}

/** The detail of a signed or encrypted thought; `undefined` for one that needs none. */
export function encodeDetail({ text, signature, encrypted }: ReasoningPart, index: number): unknown {
  if (encrypted !== undefined) {
    const { vendor, value } = encrypted
    return { type: 'reasoning.encrypted', data: value, format: formats[vendor], index }
  }
  if (signature === undefined) return undefined
  const { vendor, value } = signature
  return { type: 'reasoning.text', text, signature: value, format: formats[vendor], index }
}

/** Google's own OpenAI endpoint gives signatures of texts and calls here, and wants them back here. */
export function readGoogleSignature(holder: JsonObject): Signature | undefined {
  if (holder.extra_content === undefined) return undefined
  const value = textOf(objectOf(objectOf(holder.extra_content).google).thought_signature)
  return value === '' ? undefined : { vendor: 'gemini', value }
}

/** The member that carries a signature of Gemini; nothing for others. */
export function googleSignature(signature: Signature | undefined): JsonObject {
  if (signature?.vendor !== 'gemini') return {}
  return { extra_content: { google: { thought_signature: signature.value } } }
}
