import type { Usage } from '@tollgate/formats'
import type { RoutedChannel } from '../../channels/routing/routing-types.ts'

/** How a delivered call ended, when it did not end by itself. */
export type EarlyEnd =
  | 'client_gone'
  | 'upstream_cut'
  | 'upstream_error'
  | 'timeout'
  | 'shutdown'
  | 'insufficient_quota'
  | 'sensitive_words'

/** Whether a call ended early through no doing of its caller, of its balance or of the operator's rules. */
export function isBrokenOff(ended: EarlyEnd | undefined): boolean {
  return ended !== undefined && brokenOff.has(ended)
}

const brokenOff: ReadonlySet<EarlyEnd> = new Set(['upstream_cut', 'upstream_error', 'timeout', 'shutdown'])

/** What an answer used, as it is charged. */
export interface CountedUsage {
  readonly usage: Usage
  /** The counts are our own, in whole or in part: the upstream sent none that can be charged. */
  readonly estimated: boolean
  /** What the upstream claimed and cannot have used; the counts are our own then. */
  readonly implausible?: Usage | undefined
  /** Of images: how many were made, which are what is charged. */
  readonly made?: number | undefined
}

/** What was delivered, for the charge and its log row. */
export interface Delivery extends CountedUsage {
  readonly channel: RoutedChannel
  readonly upstreamModel: string
  readonly ended: EarlyEnd | undefined
}
