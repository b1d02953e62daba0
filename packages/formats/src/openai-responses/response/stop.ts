import type { Stop, StopReason } from '../../canonical/response.ts'
import { type JsonObject, objectOf } from '../../json/value.ts'

/** Contents of the response beside its status. */
interface StopContext {
  readonly hasToolCalls: boolean
  readonly hasRefusal: boolean
}

/** Status and reason of a response. One that is incomplete for a reason not known yet ran into some limit. */
export function decodeStop({ status, incomplete_details }: JsonObject, context: StopContext): StopReason {
  if (status === 'incomplete')
    return objectOf(incomplete_details).reason === 'content_filter' ? 'content-filter' : 'length'
  return context.hasToolCalls ? 'tool-calls' : context.hasRefusal ? 'refused' : 'stop'
}

/** Reason why a response ended, in the format's fields. */
export interface WireStop {
  readonly status: 'completed' | 'incomplete'
  readonly incomplete_details: { readonly reason: 'max_output_tokens' | 'content_filter' } | null
}

/** Writes the reason of an end. A refusal in words is a response like any other; one without words is the filter's. */
export function encodeStop({ reason }: Stop, hasRefusal: boolean): WireStop {
  if (reason === 'length') return incomplete('max_output_tokens')
  if (reason === 'content-filter' || (reason === 'refused' && !hasRefusal))
    return incomplete('content_filter')
  return { status: 'completed', incomplete_details: null }
}

function incomplete(reason: 'max_output_tokens' | 'content_filter'): WireStop {
  return { status: 'incomplete', incomplete_details: { reason } }
}
