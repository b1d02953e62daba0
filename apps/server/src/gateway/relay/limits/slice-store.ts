/** Request of a node for a slice of one count that nodes share. */
export interface SliceRequest {
  readonly key: string
  /** Absent for slots, which have no window: they are counted for as long as calls last. */
  readonly windowMs?: number
  readonly limit: number
  /** Granted as far as the limit has room. */
  readonly need: number
  /** Granted instead of `need` while no more than half of the limit is used: calls are then served without asking. */
  readonly wish: number
  /** Corrections by window: amounts that slices left unused (negative), or that calls used beyond them (positive). */
  readonly corrections: readonly Correction[]
  /** Slots that the node holds, instead of corrections: those of a node that is silent for 15 seconds are free again. */
  readonly held?: number
  /** Counts of another store when it failed: the count of this one is at least as high. */
  readonly atLeast?: Pick<Slice, 'window' | 'current' | 'previous'>
}

export interface Correction {
  /** Number of the window, or `currentWindow`. */
  readonly window: number
  readonly amount: number
}

/** Number in corrections of the window that the store is in. */
export const currentWindow = -1

/** Slice that a store grants. */
export interface Slice {
  readonly granted: number
  readonly window: number
  /** Count of the window, with what was granted; for slots, those of all nodes. */
  readonly current: number
  readonly previous: number
  /** Milliseconds of the window that have passed. */
  readonly passedMs: number
}

/** Counts that the nodes of a fleet share. */
export interface SliceStore {
  /** Applies the corrections and grants slices, each request atomically; responds in the order of the requests. */
  exchange(requests: readonly SliceRequest[]): Promise<readonly Slice[]>
}
