import type { Quota, Seconds } from './entities.ts'

/** One ended call, as it is charged and logged. */
export interface Settlement {
  /** `error`: a call that failed. It costs nothing: it has a row in the log and counts as a failure alone. */
  readonly kind: 'consumption' | 'error'
  /** Position in the journal of its node, counting from 1 without holes. */
  readonly seq: number
  readonly createdAt: Seconds
  readonly userId: number
  readonly username: string
  /** 0 for the playground, which spends no token. */
  readonly tokenId: number
  readonly tokenName: string
  readonly model: string
  readonly channelId: number
  readonly group: string
  readonly quota: Quota
  readonly promptTokens: number
  readonly completionTokens: number
  readonly useTimeSeconds: number
  readonly isStream: boolean
  readonly content: string
  readonly requestId: string
  /** JSON text. */
  readonly other: string
  /** False when the operator switched usage logging off: charged, but no row and no rollup. */
  readonly logged: boolean
}

/**
 * Settlements as bytes, entry behind entry (settlement-codec.ts). A call is encoded once, when it is settled; until a
 * database thread decodes it nothing is made of it that the garbage collector would have to look at.
 */
export type SettlementBatch = Uint8Array

export interface FlushRequest {
  readonly node: string
  /** Position the database must be at. */
  readonly after: number
  /** Position it is at then: number of the last settlement. */
  readonly last: number
  /** The settlements in their order. */
  readonly batches: readonly SettlementBatch[]
}
