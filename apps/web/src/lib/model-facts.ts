import type { PricingRow } from '@tollgate/api'

type Kind = Pick<PricingRow, 'capabilities' | 'supported_endpoint_types'>
type Release = Pick<PricingRow, 'released'>

/** Decides whether a model is one for conversations. One outside the table of models is where its endpoint is that of chat. */
export function chats({ capabilities, supported_endpoint_types: endpoints }: Kind): boolean {
  return capabilities?.includes('chat') ?? (endpoints.length === 0 || endpoints.includes('openai'))
}

/** Newest first; models without a date last. */
export function byRelease(left: Release, right: Release): number {
  return releasedAt(right) - releasedAt(left)
}

/** Milliseconds of the day on which a model was first sold; 0 where that is unknown. */
export function releasedAt({ released }: Release): number {
  return released === undefined ? 0 : Date.parse(released)
}
