import type { Signature } from '../canonical/request.ts'

/**
 * What the service takes instead of a signature for calls that it did not make, or whose signature was lost.
 * https://ai.google.dev/gemini-api/docs/thought-signatures
 */
export const bypassSignature = 'skip_thought_signature_validator'

export function signatureOf(value: unknown): Signature | undefined {
  return typeof value === 'string' && value !== '' ? { vendor: 'gemini', value } : undefined
}

/** The member that carries a signature; none for those of other vendors, which only they can read. */
export function signatureMember(signature: Signature | undefined): { readonly thoughtSignature?: string } {
  return signature?.vendor === 'gemini' ? { thoughtSignature: signature.value } : {}
}
