/** A fact about a vendor, with the page that says it and the day on which it was read there. */
export interface Fact<Value> {
  readonly value: Value
  /** Address of the page, or the public issue where the vendor's own refusal is quoted. */
  readonly source: string
  /** `YYYY-MM-DD`. */
  readonly date: string
}

/**
 * A column of a profile. `unknown`: the vendor documents nothing and nobody has reported a refusal; a translated call then keeps
 * within what its format defines, and a call in the vendor's own format passes as it is.
 */
export type Column<Value> = Fact<Value> | 'unknown'

/** Efforts of reasoning, from the least to the most; `none` is no reasoning, `default` the only way in which a model thinks. */
export type Effort = 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max' | 'default'

/**
 * The place where a vendor's requests say whether a model thinks; `reasoning-switches.ts` has their members. `effort`: by the effort
 * alone. `budget`: by a number of tokens alone. `always` and `never`: the request cannot say it.
 */
export type ReasoningSwitch =
  | 'effort'
  | 'budget'
  | 'thinking-type'
  | 'enable-thinking'
  | 'template-enable-thinking'
  | 'template-thinking'
  | 'reasoning-object'
  | 'disable-reasoning'
  | 'prompt-mode'
  | 'always'
  | 'never'

/** Values of `thinking.type`, which controls thinking in Anthropic's format. */
export type ThinkingType = 'enabled' | 'adaptive' | 'disabled' | 'between_tools'

/** Numbers of tokens for thinking. */
export interface BudgetRange {
  readonly min: number
  readonly max: number
  /** 0 is taken too, and switches thinking off. */
  readonly canBeOff: boolean
}

/** Rules for the members of a request that switch reasoning and set its effort. */
export interface ReasoningRules {
  readonly switch: ReasoningSwitch
  /** Efforts that the model takes, lowest first; empty where it has a switch alone. */
  readonly efforts: readonly Effort[]
  /** Behaviour of the model where the request has no such member. */
  readonly unasked: 'thinks' | 'does-not-think'
  /** Calls that do not stream cannot think, and are refused unless they say so. */
  readonly streamsOnly?: true
  /** Field of a request that holds a number of tokens for thinking, where the vendor has one. */
  readonly budget?: string
  /** Values of `thinking.type` in Anthropic's format; absent where nobody says which. */
  readonly types?: readonly ThinkingType[]
  /** The highest effort beside which `disabled` and `between_tools` are taken; absent for any. */
  readonly offUpTo?: Effort
  /** Numbers that Google's `thinkingBudget` takes, beside -1; a model without efforts knows nothing but them. */
  readonly budgets?: BudgetRange
}

/** Sampling parameters that the vendor refuses, by the names of its own format. */
export interface SamplingRules {
  readonly refuses: readonly string[]
  /** `reasoning`: only while the call thinks. */
  readonly when: 'always' | 'reasoning'
  /** Values that it takes all the same, by field: one, or all from one to another. */
  readonly accepts?: Readonly<Record<string, number | readonly [min: number, max: number]>>
  /** Two that it does not take together, whether it thinks or not: the second one gives way. */
  readonly notBoth?: readonly [stays: string, goes: string]
}

/** Rules of the vendor for the reasoning of earlier turns. */
export interface HistoryRules {
  /**
   * `required`: assistant turns must carry it, and a call without it is refused. `forbidden`: a call with it is refused. `free`: taken
   * or ignored.
   */
  readonly reasoning: 'required' | 'forbidden' | 'free'
  /** The member of a message that holds it. */
  readonly field: 'reasoning_content' | 'reasoning'
  /** Turns that must carry it: those that call tools, or all; beside `forbidden` too, where the others must not. */
  readonly turns?: 'with-calls' | 'all'
  /** The documented empty form, where no text is at hand. */
  readonly empty?: string
  /** Turns that call tools are exempt from a refusal. */
  readonly exceptCalls?: true
  /** The vendor refuses the other names that reasoning has elsewhere (`reasoning_content`, `reasoning`, `reasoning_details`). */
  readonly refusesOtherNames?: true
}

/** Characters of a name: `word` is letters, digits, `_` and `-`; `gemini` adds `.` and `:` and begins with a letter or `_`; `alphanumeric` is letters and digits. */
export type NameCharacters = 'word' | 'gemini' | 'alphanumeric' | 'any'

/** Length and characters of a name or an id. */
export interface NameLimit {
  readonly max: number
  /** Every name has exactly this length (Mistral's ids). */
  readonly exactly?: number
  readonly characters: NameCharacters
}

/** Lengths and numbers that the vendor accepts. A member left out has no known limit. */
export interface Limits {
  readonly toolName?: NameLimit
  readonly callId?: NameLimit
  /** Limits of texts in top-level fields by the vendor's own names, in characters: `user`, `user_id`, `prompt_cache_key`. */
  readonly texts?: Readonly<Record<string, { readonly min?: number; readonly max: number }>>
  readonly tools?: number
  readonly stops?: number
}

/** Rules of a body's top-level fields, by the names of OpenAI's format. */
export interface FieldRules {
  /** `any`: unknown fields are ignored or passed on. A list: any other field is refused by the vendor. */
  readonly takes: 'any' | readonly string[]
  /**
   * Beside a list: fields that neither OpenAI nor any vendor of the table has pass. They are newer than the table, or the caller's own
   * words to this vendor, which names them if it refuses them.
   */
  readonly passesUnheardOf?: true
  /** Fields that the vendor refuses although it takes any other. */
  readonly drops?: readonly string[]
  /** Fields whose loss would change the response: the call is refused, with this reason. */
  readonly refuses?: Readonly<Record<string, string>>
  /** The vendor's own names of fields. */
  readonly names?: Readonly<Record<string, string>>
  /** Smallest and largest number that is taken; the nearest one goes out. */
  readonly ranges?: Readonly<Record<string, readonly [min: number, max: number]>>
  /** Values that the vendor calls otherwise, by field; `null` leaves the field out. */
  readonly values?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** Fields that hold a list even of one text. */
  readonly lists?: readonly string[]
  readonly messages?: MessageRules
}

/** Rules of the members of messages. */
export interface MessageRules {
  /** Members that are taken, by role; `other` for roles without a name here. */
  readonly takes?: Readonly<Record<string, readonly string[]>>
  readonly drops?: readonly string[]
  /** The vendor's own names of roles. */
  readonly roles?: Readonly<Record<string, string>>
  /** Only what the user says may hold images, sounds and files; they are refused in results of tools and in messages of other roles. */
  readonly media?: 'user'
  /** Messages of the model without a text and a call are refused, and so are lists of texts without a character. */
  readonly silent?: 'refused'
  /** Neighbouring messages of one side are refused. */
  readonly turns?: 'alternate'
}

/**
 * Dialects of JSON Schema by their readers; `schema-profiles.ts` has those of OpenAI's formats. `grammar`: a server makes a grammar of
 * it. `plain`: an object in tools, and no documented limits. Codecs of formats with one vendor know their own.
 */
export type SchemaName =
  | 'openai'
  | 'groq'
  | 'cerebras'
  | 'xai'
  | 'moonshot'
  | 'grammar'
  | 'plain'
  | 'claude'
  | 'gemini-schema'
  | 'gemini-json-schema'
  | 'none'

/** Clouds and vendors by the betas of Claude that they take. */
export type BetaHost = 'anthropic' | 'bedrock' | 'vertex' | 'foundry'

/** Requests that an upstream accepts. Every column is filled, or marked as unknown. */
export interface TargetProfile {
  /** Fields of Chat Completions. */
  readonly fields: Column<FieldRules>
  /** Fields of its Responses API; `none` where it has none. */
  readonly responses: Column<FieldRules> | 'none'
  readonly reasoning: Column<ReasoningRules>
  readonly sampling: Column<SamplingRules>
  readonly history: Column<HistoryRules>
  readonly limits: Column<Limits>
  /** Dialect of JSON Schema in tools and response formats. */
  readonly schema: Column<SchemaName>
  /** Host whose betas of Claude it takes; `none` where it hosts no Claude in Anthropic's format. */
  readonly betas: Column<BetaHost> | 'none'
  /**
   * Ids of its models: `own` as the vendor lists them, `deployment` as the operator named them, `table` by a table of this project.
   */
  readonly ids: Column<'own' | 'deployment' | 'table'>
}

/** Columns that differ for a family of models at one provider. Later families win over earlier ones, column by column. */
export interface ModelFamily extends Partial<TargetProfile> {
  /** Names as the provider lists them. `*` is any text, `[…]` one of the characters, `[!…]` any other; compared without case. */
  readonly models: readonly string[]
  /** Names that are not meant although `models` has them. */
  readonly except?: readonly string[]
}

/** The profile of one provider row. */
export interface ProviderProfile extends TargetProfile {
  readonly families?: readonly ModelFamily[]
  /** Callers may write the effort behind the name of a model that has efforts, a custom of gateways: `o3-mini-high`. */
  readonly effortSuffix?: true
  /** Rules of other modes of OpenAI's form. */
  readonly modes?: {
    readonly completions?: Fact<FieldRules>
    readonly embeddings?: Fact<FieldRules>
  }
}

/** A provider without chat (images, music, videos, embeddings alone): it has no profile of chat. */
export type ProfileEntry =
  | ProviderProfile
  | { readonly chat: false; readonly modes?: ProviderProfile['modes'] }

/** The day on which the table was last read against its sources. */
const readOn = '2026-11-28'

/** A fact that was read today from a source. */
export function fact<Value>(value: Value, source: string, date: string = readOn): Fact<Value> {
  return { value, source, date }
}
