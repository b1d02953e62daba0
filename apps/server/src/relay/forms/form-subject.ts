import type { EncodeTarget, Prompt, Usage, WireResponse } from '@tollgate/formats'
import type { Operation } from '@tollgate/providers'
import type { ImageOrder } from '../../billing/pricing/image-price.ts'
import type { EncodedFiles } from '../../upstream/call-body.ts'
import type { ResponseContext, ResponseReading } from '../dialects/dialect.ts'
import type { CheckedForm, FormMode } from './form-checks.ts'
import type { ReceivedForm } from './received-form.ts'

/** A form that has passed the checks of its mode. */
export interface FormCall {
  readonly mode: FormMode
  readonly form: ReceivedForm
  readonly checked: CheckedForm
}

/** What a form is about, a recording or pictures: what it counts, and how upstreams with a form of their own get it. */
export interface FormSubject {
  /** What its answer is made of. */
  readonly output: 'text' | 'image'
  readonly images: ImageOrder | undefined
  /** What the call uses where the upstream counts nothing, if the form tells it. */
  readonly knownUsage: Usage | undefined
  readonly maxOutputTokens: number
  prompt(): Prompt
  roughPromptTokens(): number
  /** Whether an operation that takes no such form can be asked at all. */
  suits(operation: Operation): boolean
  /** @throws RequestFault for what the upstream cannot be told and would change the answer */
  encodeOwn(operation: Operation, target: EncodeTarget): EncodedFiles
  readResponse(response: WireResponse, operation: Operation, call: ResponseContext): ResponseReading
}

/** The same failure for every kind of form: a body that is no answer. */
export function failedResponse(response: WireResponse, operation: Operation): ResponseReading {
  const body = new TextDecoder().decode(response.bytes)
  return { ok: false, error: operation.decodeError({ status: 200, headers: {}, body }) }
}
