/** What a caller asks for by a field that tokens do not tell: what costs more at the vendor, or concerns its privacy. */
export type CostFeature =
  /** Priority, flex and other classes of service. */
  | 'service-tier'
  /** Anthropic's fast mode. */
  | 'speed'
  /** Where the model runs, where the place has a price. */
  | 'inference-geo'
  /** Tools that the vendor runs and charges by the call, the hour or the page. */
  | 'hosted-tool'
  /** Another model or host than the one that is priced. */
  | 'other-model'
  /** Prompts beyond a length from which the vendor charges more. */
  | 'long-context'
  /** Prompts that are kept in a cache for longer than usual, where the vendor does not count them apart. */
  | 'long-cache'
  | 'store'
  | 'safety-identifier'
  | 'stream-obfuscation'

/** Features that cost nothing: what a channel does not let pass is left out without a word. */
export const privateFeatures: ReadonlySet<CostFeature> = new Set([
  'store',
  'safety-identifier',
  'stream-obfuscation',
])

/** Where a field stands: a path into the body, or one item of a header field that is a list. */
export type FieldPlace =
  | { readonly path: readonly (string | number)[] }
  | { readonly header: string; readonly item: string }

/** One field of a request by which its caller changes what the vendor charges. */
export interface CostlyField {
  readonly feature: CostFeature
  /** What is asked of the feature: the tier, the place, or the kind of tool. */
  readonly value: string
  /** The field in the caller's own words, as a path. */
  readonly param: string
  readonly place: FieldPlace
  /** Upstreams that the field can be carried to: of the caller's own format alone, of every format, or Gemini's alone. */
  readonly reaches: 'own' | 'every' | 'gemini'
  /** The call does without it: it stands beside tools of the caller's own, as agents declare their vendor's. */
  readonly isOptional: boolean
}

export const noCostlyFields: readonly CostlyField[] = []
