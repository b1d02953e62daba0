import { sessionFields, withoutFields } from '@tollgate/formats'
import type { Candidate } from '../routing/candidates.ts'
import { fieldJudge, unpricedField } from '../routing/field-policy.ts'

/**
 * An event of the caller as the session's channel may get it: without the tools that are kept from it.
 * @throws RelayError for an event that the channel refuses
 */
export function permittedEvent(
  message: string,
  { channel, operation }: Pick<Candidate, 'channel' | 'operation'>,
): string {
  const found = sessionFields(message)
  if (found === undefined) return message
  const request = {
    format: 'openai-realtime',
    costlyFields: found.fields,
    roughPromptTokens: () => 0,
  } as const
  const judge = fieldJudge(request, neverPriced)
  const { refused, stripped = [] } = judge?.(channel, operation) ?? {}
  if (refused !== undefined) throw unpricedField(refused)
  return stripped.length === 0 ? message : JSON.stringify(withoutFields(found.event, stripped).body)
}

/** No vendor documents how a session counts its tools: the channel's switch decides, whatever a tool costs elsewhere. */
const neverPriced = () => false
