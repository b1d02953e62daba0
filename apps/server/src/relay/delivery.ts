import type { Usage } from '@tollgate/formats'
import type { RoutedChannel } from '../channels/routing-types.ts'

/** How a delivered call ended, when it did not end by itself. */
export type EarlyEnd = 'client_gone' | 'upstream_cut' | 'upstream_error' | 'timeout' | 'shutdown'

/** What was delivered, for the charge and its log row. */
export interface Delivery {
  readonly channel: RoutedChannel
  readonly upstreamModel: string
  readonly usage: Usage
  /** The upstream sent no usage, or none that can be believed: the counts are our own. */
  readonly estimated: boolean
  /** What the upstream counted, where it was not believed. */
  readonly disbelieved?: Usage | undefined
  readonly ended: EarlyEnd | undefined
}
