/** How an address changes. */
export interface StepOptions {
  /** Leaves no step to go back to. */
  readonly replace: boolean
  /** False: the page stays scrolled as it is. */
  readonly resetScroll: boolean
}
