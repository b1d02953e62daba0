/** Work that one node does at a time, whichever. */
export interface LeaseRepository {
  /**
   * Takes a lease that nobody holds or whose time is over, or prolongs one's own. False while somebody else has it.
   * @param expiresMs wall clock, in ms; until then it is the holder's
   */
  take(lease: Lease, nowMs: number): Promise<boolean>
  /** Gives one's own lease up before its time. */
  give(name: string, holder: string): Promise<void>
}

export interface Lease {
  readonly name: string
  readonly holder: string
  readonly expiresMs: number
}
