/** A setting of one provider that the operator gives by the environment. */
export interface ProviderOption {
  /** Texts that are taken; a flag takes `true`, `false`, `1` and `0`. */
  readonly values: readonly string[] | 'flag'
  readonly standard: string
}

/** Options of the operator about providers, beside channels, by the name of the environment variable. */
export const providerOptions = {
  /** Reports the steps of a Dify workflow as reasoning. */
  DIFY_DEBUG: { values: 'flag', standard: 'true' },
  /** Strictness of Cohere's own filter for chats without tools. */
  COHERE_SAFETY_SETTING: { values: ['NONE', 'CONTEXTUAL', 'STRICT'], standard: 'NONE' },
} as const satisfies Readonly<Record<string, ProviderOption>>

/** The text of each option; a flag is `true` or `false`. */
export type ProviderOptions = { readonly [Name in keyof typeof providerOptions]: string }

/** Values where the operator sets none. */
export const standardOptions: ProviderOptions = {
  DIFY_DEBUG: providerOptions.DIFY_DEBUG.standard,
  COHERE_SAFETY_SETTING: providerOptions.COHERE_SAFETY_SETTING.standard,
}
