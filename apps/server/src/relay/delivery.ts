import type { Usage } from '@tollgate/formats'
import type { RoutedChannel } from '../channels/routing-types.ts'

/** How a delivered call ended, when it did not end by itself. */
export type EarlyEnd = 'client_gone' | 'upstream_cut' | 'upstream_error' | 'timeout' | 'shutdown'

/** What was delivered, for the charge and its log row. */
export interface Delivery {
  readonly channel: RoutedChannel
  readonly upstreamModel: string
  readonly usage: Usage
  /** The upstream sent no usage: the counts are our own. */
  readonly estimated: boolean
  readonly ended: EarlyEnd | undefined
}
