import type { AssistantPart, Signature } from '../canonical/request.ts'

/**
 * Messages and Responses have fields for their own vendor's signatures only. Another vendor's signatures and encrypted
 * reasoning travel in the same fields behind a prefix, so that clients return them unchanged: Gemini 3 refuses a tool's result
 * whose call comes back unsigned. A value with the prefix never reaches the format's own vendor (see `nativeEdits`).
 */
const prefix = 'tollgate.'

/** What the marked value belongs to; `unsigned` holds no value and only says that the reasoning is not Anthropic's. */
type ForeignSignatureKind = 'reasoning' | 'encrypted' | 'text' | 'tool-call' | 'unsigned' | 'citation'

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

/** Whether a request's text may hold marks: one search instead of a walk through every message. */
export function mayHoldForeignSignatures(requestText: string): boolean {
  return requestText.includes(prefix)
}

const pattern = /^tollgate\.([a-z-]+)\.([a-z]+)\.(.*)$/s
const kinds: ReadonlySet<string> = new Set<ForeignSignatureKind>([
  'reasoning',
  'encrypted',
  'text',
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

/** A signature of another vendor in a block of its own, beside the part that it signs. */
export interface DetachedSignature {
  readonly type: 'mark'
  readonly mark: ForeignSignature
}

/** Attaches the signatures to their parts: a text's signature follows it, a call's precedes it. */
export function attachSignatures(items: readonly (AssistantPart | DetachedSignature)[]): AssistantPart[] {
  const parts: AssistantPart[] = []
  let forCall: Signature | undefined
  for (const item of items) {
    if (item.type === 'mark') {
      if (item.mark.kind === 'tool-call') forCall = item.mark.signature
      else signLastText(parts, item.mark.signature)
    } else if (item.type === 'tool-call' && forCall !== undefined) {
      parts.push({ ...item, signature: forCall })
      forCall = undefined
    } else parts.push(item)
  }
  return parts
}

function signLastText(parts: AssistantPart[], signature: Signature | undefined): void {
  const last = parts.at(-1)
  if (last?.type === 'text' && signature !== undefined) parts[parts.length - 1] = { ...last, signature }
}
