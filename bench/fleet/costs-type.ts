/** Measured costs of the nodes of a fleet. */
export interface Costs {
  /** Day of the measurement. */
  readonly measured: string
  readonly nodes: number
  /** Costs of one node in one second without calls. */
  readonly idle: {
    readonly nodeMs: number
    readonly databaseMs: number
    readonly walBytes: number
    readonly transactions: number
    readonly notifications: number
  }
  readonly few: LoadCosts
  /** First calls: each account is new to the node. */
  readonly cold: LoadCosts
  readonly many: LoadCosts
  /** Balances that are asked for call by call. */
  readonly short: LoadCosts
  /** Costs of as many calls as the machine can serve, with few accounts. */
  readonly full: LoadCosts
}

/** Costs of one call, beyond those of idle nodes. */
export interface LoadCosts {
  readonly accounts: number
  readonly calls: number
  readonly perSecond: number
  readonly connectionsPerNode: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly nodeUs: number
  readonly databaseUs: number
  readonly walBytes: number
  readonly transactions: number
  readonly notifications: number
  /** Bytes on disk with indexes. */
  readonly logBytes: number
  /** Rows inserted or updated. */
  readonly logRows: number
  readonly accountRows: number
  readonly rollupRows: number
  readonly shareRows: number
}
