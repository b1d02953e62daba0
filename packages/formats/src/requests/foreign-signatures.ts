import type { AssistantPart, Signature } from '../canonical/request.ts'

/**
 * Messages and Responses have a place for their own vendor's signatures only. What another vendor signed or encrypted
 * travels in the same fields behind a mark, so that a client that returns its thoughts unchanged returns it too: Gemini 3
 * refuses a tool's result whose call comes back unsigned. What is marked never reaches the format's own vendor (see
 * `nativeEdits`).
 */
const prefix = 'tollgate.'

/** What the marked value belongs to; `unsigned` holds no value, it only says that the thoughts are not Anthropic's. */
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

/** A signature of another vendor that stands in a block of its own, beside the part that it signs. */
export interface DetachedSignature {
  readonly type: 'mark'
  readonly mark: ForeignSignature
}

/** Gives the signatures back to their parts: a text's stands behind it, a call's before it. */
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
