/** Channel types of the spec (operations §3.2): wire id → name, and what its form needs. */
export interface ChannelType {
  readonly id: number
  readonly name: string
  /** Provider folder in `packages/providers`. */
  readonly provider: string
  /** Official address, shown as the form's default; empty when the operator must give one. */
  readonly defaultBaseUrl: string
  /** Shape of the key, shown in the form. */
  readonly keyHint: string
  /** What the free field `other` means for this type; empty when unused. */
  readonly otherHint: string
  /** Model names such a channel usually serves. */
  readonly models: readonly string[]
  /** The service is of the past: old channels keep working, new ones need not be offered. */
  readonly legacy?: true
}
