import type { UpstreamErrorKind } from '../upstream-error.ts'

/** One way in which upstreams say what is wrong. */
export interface ErrorForm {
  readonly kind: UpstreamErrorKind
  /** The upstreams that were seen to use it, or that document it. */
  readonly of: string
  /** Codes, types or AWS exceptions, separated by blanks; compared without case and punctuation, in which upstreams differ. */
  readonly codes?: string
  /**
   * The codes name a class of failures, as `permission_error` does: a message that is more specific decides before them.
   */
  readonly broad?: true
  /**
   * Beginning of the message, behind the prefixes that gateways put before it. The rest may quote the caller, and nobody
   * must get a channel disabled by writing "incorrect API key" into a bad parameter.
   */
  readonly begins?: RegExp
  /** Words that the message contains, for kinds that concern the call alone. A caller who quotes it harms only that call. */
  readonly contains?: RegExp
  /** Address where the form is documented, or was reported. */
  readonly source: string
  /** Year and month in which the row was written. */
  readonly date: `${number}-${number}`
}
