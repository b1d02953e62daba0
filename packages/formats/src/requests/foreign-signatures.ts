import type { AssistantPart, ReasoningPart, Signature } from '../canonical/request.ts'
import { containsText, type RequestText } from '../json/request-text.ts'

/**
 * Messages and Responses have fields for their own vendor's signatures only. Another vendor's signatures and encrypted
 * reasoning travel in the same fields behind a prefix, so that clients return them unchanged: Gemini 3 refuses a tool's result
 * whose call comes back unsigned. A value with the prefix never reaches the format's own vendor (see `nativeEdits`).
 */
const prefix = 'tollgate.'

/**
 * Text that Gemini takes instead of a signature for calls that it did not make, or whose signature was lost.
 * https://ai.google.dev/gemini-api/docs/thought-signatures
 */
export const bypassSignature = 'skip_thought_signature_validator'

/**
 * Owner of the marked value: `text` to the text before it, `next-text` and `tool-call` to what follows. `unsigned`
 * holds no value and only says that the reasoning is not Anthropic's.
 */
type ForeignSignatureKind =
  | 'reasoning'
  | 'encrypted'
  | 'text'
  | 'next-text'
  | 'tool-call'
  | 'unsigned'
  | 'citation'

interface ForeignSignature {
  readonly kind: ForeignSignatureKind
  readonly signature: Signature | undefined
}

/** The signature as an opaque value of this format. */
export function wrapSignature(kind: ForeignSignatureKind, signature?: Signature): string {
  return `${prefix}${kind}.${signature?.vendor ?? 'none'}.${signature?.value ?? ''}`
}

/** The mark in an opaque value; `undefined` when it is the upstream's own. */
export function unwrapSignature(opaque: string): ForeignSignature | undefined {
  if (!opaque.startsWith(prefix)) return undefined
  const [, kind = '', vendor = '', value = ''] = pattern.exec(opaque) ?? []
  if (!isKind(kind)) return undefined
  return { kind, signature: isVendor(vendor) ? { vendor, value } : undefined }
}

/** Returns whether a request's text may hold marks: one search instead of a walk through every message. */
export function mayHoldForeignSignatures(request: Pick<RequestText, 'received' | 'text'>): boolean {
  return containsText(request, prefix)
}

const pattern = /^tollgate\.([a-z-]+)\.([a-z]+)\.(.*)$/s
const kinds: ReadonlySet<string> = new Set<ForeignSignatureKind>([
  'reasoning',
  'encrypted',
  'text',
  'next-text',
  'tool-call',
  'unsigned',
  'citation',
])
const vendors: ReadonlySet<string> = new Set<Signature['vendor']>([
  'anthropic',
  'gemini',
  'openai',
  'bedrock',
])

function isKind(value: string): value is ForeignSignatureKind {
  return kinds.has(value)
}

function isVendor(value: string): value is Signature['vendor'] {
  return vendors.has(value)
}

/** A signature of another vendor that stands apart from the part that it signs. */
export interface DetachedSignature {
  readonly type: 'mark'
  readonly mark: ForeignSignature
}

const detachedKinds: ReadonlySet<ForeignSignatureKind> = new Set(['text', 'next-text', 'tool-call'])

/** Reasoning whose opaque value may be a mark: the reasoning, the signature of another part, or both. */
export function readMarked(
  text: string,
  mark: ForeignSignature,
): readonly (ReasoningPart | DetachedSignature)[] {
  const { kind, signature } = mark
  const reasoning = { type: 'reasoning', text } as const
  if (detachedKinds.has(kind)) return [...(text === '' ? [] : [reasoning]), { type: 'mark', mark }]
  if (signature === undefined) return [reasoning]
  return [kind === 'encrypted' ? { ...reasoning, encrypted: signature } : { ...reasoning, signature }]
}

/** Attaches the signatures to their parts. */
export function attachSignatures(items: readonly (AssistantPart | DetachedSignature)[]): AssistantPart[] {
  const parts: AssistantPart[] = []
  const ahead = new Map<AssistantPart['type'], Signature>()
  for (const item of items) {
    if (item.type === 'mark') detach(item.mark, parts, ahead)
    else parts.push(withSignature(item, ahead))
  }
  return parts
}

function withSignature(part: AssistantPart, ahead: Map<AssistantPart['type'], Signature>): AssistantPart {
  const signature = ahead.get(part.type)
  if (signature === undefined || (part.type !== 'text' && part.type !== 'tool-call')) return part
  ahead.delete(part.type)
  return { ...part, signature }
}

function detach(
  { kind, signature }: ForeignSignature,
  parts: AssistantPart[],
  ahead: Map<AssistantPart['type'], Signature>,
): void {
  if (signature === undefined) return
  if (kind === 'tool-call') ahead.set('tool-call', signature)
  else if (kind === 'next-text') ahead.set('text', signature)
  else signLastText(parts, signature)
}

function signLastText(parts: AssistantPart[], signature: Signature): void {
  const position = parts.findLastIndex(({ type }) => type === 'text')
  const last = parts[position]
  if (last?.type === 'text') parts[position] = { ...last, signature }
}

/**
 * Takes the signatures of texts and calls off their parts, for a buffered response: that of a call goes ahead of it, that of a
 * text ahead of the next call, as in a stream, and without one ahead of the text itself. None stands at the end: some
 * clients take it for the response's reasoning, others send it back as words.
 */
export function detachSignatures(parts: readonly AssistantPart[]): (AssistantPart | DetachedSignature)[] {
  const items: (AssistantPart | DetachedSignature)[] = []
  const signed = withSignedTexts(parts)
  const lastCall = signed.findLastIndex(({ type }) => type === 'tool-call')
  let ofText: Signature | undefined
  for (const [position, part] of signed.entries()) {
    if (part.type === 'tool-call') {
      items.push(...signaturesAhead(ofText, part.signature))
      ofText = undefined
    } else if (part.type === 'text' && position < lastCall) ofText = part.signature ?? ofText
    else if (part.type === 'text') items.push(...marked('next-text', part.signature))
    items.push(withoutSignature(part))
  }
  return items
}

/** Returns what goes ahead of a call: the signature of the text before it, and its own. */
export function signaturesAhead(
  ofText: Signature | undefined,
  ofCall: Signature | undefined,
): readonly DetachedSignature[] {
  return [...marked('text', ofText), ...marked('tool-call', ofCall)]
}

function marked(kind: ForeignSignatureKind, signature: Signature | undefined): readonly DetachedSignature[] {
  return signature === undefined ? [] : [{ type: 'mark', mark: { kind, signature } }]
}

function withoutSignature(part: AssistantPart): AssistantPart {
  if ((part.type !== 'text' && part.type !== 'tool-call') || part.signature === undefined) return part
  const { signature: _, ...rest } = part
  return rest
}

/** Gemini sends a text's signature in an empty text behind it. */
function withSignedTexts(parts: readonly AssistantPart[]): readonly AssistantPart[] {
  const signed: AssistantPart[] = []
  for (const part of parts) {
    const isSignature = part.type === 'text' && part.text === '' && part.signature !== undefined
    const last = signed.at(-1)
    if (isSignature && last?.type === 'text')
      signed[signed.length - 1] = { ...last, signature: part.signature }
    else signed.push(part)
  }
  return signed
}
