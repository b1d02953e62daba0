import type { JsonEdits, RequestText } from '@tollgate/formats'

/** The operator's settings for models, as providers need them. A change of a setting replaces the complete object. */
export interface ModelOptions {
  readonly claude: ClaudeOptions
  readonly gemini: GeminiOptions
}

/** Settings by a model's name; `default` applies to all others. */
export type ByModel<Value> = Readonly<Record<string, Value>>

/** Settings of Claude, wherever it is hosted. */
export interface ClaudeOptions {
  /** Output limit for callers without a limit of their own. */
  readonly defaultMaxTokens: ByModel<number>
  /** Header fields of calls by the name that callers use, each with its values. */
  readonly headers: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>
  /** Makes `-thinking` at the end of a name request reasoning. */
  readonly thinkingSuffix: boolean
  /** Share of the output limit that such reasoning may take. */
  readonly budgetShare: number
}

/** Settings of Gemini, wherever it is hosted. */
export interface GeminiOptions {
  /** Threshold by category of harm; `default` for the others. */
  readonly safety: ByModel<string>
  /** Version of the API. */
  readonly versions: ByModel<string>
  /** Images in one message of a caller of another format; -1 for any number. */
  readonly maxImages: number
  /** Models whose requests ask for images, too. */
  readonly imageModels: readonly string[]
  /** Makes `-thinking`, `-thinking-N`, `-nothinking` and efforts at the end of a name control thinking. */
  readonly thinkingSuffix: boolean
  readonly budgetShare: number
}

/** The defaults: a call goes out without additions. */
export const defaultModelOptions: ModelOptions = {
  claude: { defaultMaxTokens: {}, headers: {}, thinkingSuffix: true, budgetShare: 0.8 },
  gemini: {
    safety: {},
    versions: {},
    maxImages: -1,
    imageModels: [],
    thinkingSuffix: true,
    budgetShare: 0.6,
  },
}

/** The entry of the first of these names that has one, else the one for all models. */
export function byModel<Value>(entries: ByModel<Value>, ...names: readonly string[]): Value | undefined {
  const name = [...names, 'default'].find((each) => Object.hasOwn(entries, each))
  return name === undefined ? undefined : entries[name]
}

/** A model that is asked for in a certain way by the end of its name, as gateways let their callers do. */
export interface ModelVariant {
  /** The name as the vendor knows it. */
  readonly model: string
  /** The edits that the ending means, in a body of the vendor's format. */
  edits(request: RequestText): JsonEdits
}
