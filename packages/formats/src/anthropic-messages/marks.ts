import type { Signature } from '../canonical/request.ts'

/**
 * This format has a place for Anthropic's own signatures only. What another vendor signed or encrypted travels in the
 * same fields behind a mark, so that a client that returns its thinking blocks unchanged returns it too: Gemini 3 refuses a
 * tool's result whose call comes back unsigned. Blocks with a mark never reach Anthropic (see `nativeEdits`).
 */
const prefix = 'tollgate.'

/** What the marked value belongs to; `unsigned` holds no value, it only says that the thoughts are not Anthropic's. */
export type MarkKind = 'reasoning' | 'encrypted' | 'text' | 'tool-call' | 'unsigned' | 'citation'

export interface Mark {
  readonly kind: MarkKind
  readonly signature: Signature | undefined
}

export function writeMark(kind: MarkKind, signature?: Signature): string {
  return `${prefix}${kind}.${signature?.vendor ?? 'none'}.${signature?.value ?? ''}`
}

/** The mark in an opaque value; `undefined` when it is the upstream's own. */
export function readMark(opaque: string): Mark | undefined {
  if (!opaque.startsWith(prefix)) return undefined
  const [, kind = '', vendor = '', value = ''] = pattern.exec(opaque) ?? []
  if (!isKind(kind)) return undefined
  return { kind, signature: isVendor(vendor) ? { vendor, value } : undefined }
}

/** Whether a request's text may hold marks: one search instead of a walk through every message. */
export function mayHoldMarks(requestText: string): boolean {
  return requestText.includes(prefix)
}

const pattern = /^tollgate\.([a-z-]+)\.([a-z]+)\.(.*)$/s
const kinds: ReadonlySet<string> = new Set<MarkKind>([
  'reasoning',
  'encrypted',
  'text',
  'tool-call',
  'unsigned',
  'citation',
])
const vendors: ReadonlySet<string> = new Set<Signature['vendor']>(['anthropic', 'gemini', 'openai'])

function isKind(value: string): value is MarkKind {
  return kinds.has(value)
}

function isVendor(value: string): value is Signature['vendor'] {
  return vendors.has(value)
}
