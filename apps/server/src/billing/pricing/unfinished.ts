/** Ends of calls that are neither their caller's doing, nor that of the balance or of the operator's rules. */
const brokenOff: ReadonlySet<string> = new Set(['upstream_cut', 'upstream_error', 'timeout', 'shutdown'])

/** Recognises a call that its upstream or the gateway broke off: a price per call is not charged for it. */
export function isBrokenOff(ended: string | undefined): boolean {
  return ended !== undefined && brokenOff.has(ended)
}
