/** The API that a framework speaks to the gateway. */
export type CallerDialect = (typeof callerDialects)[number]
export const callerDialects = ['chat', 'responses', 'messages', 'gemini'] as const

/** The API that the gateway's upstream speaks. */
export type UpstreamDialect = (typeof upstreamDialects)[number]
export const upstreamDialects = ['openai', 'anthropic', 'gemini'] as const

/** Tasks of a framework. */
export type Check = (typeof checks)[number]
export const checks = [
  'plain',
  'stream',
  'tools',
  'schema',
  'image',
  'reasoning',
  'embeddings',
  'limit',
  'overflow',
] as const

/** One thing that a driver does: it is started with a list of them. */
export interface Case {
  readonly id: string
  readonly dialect: CallerDialect
  readonly upstream: UpstreamDialect
  readonly check: Check
  readonly model: string
  readonly url: string
  readonly key: string
}

/** Outcome of a case that a driver writes, as a line of JSON. */
export interface Outcome {
  readonly id: string
  /** `undefined` where the framework has it not. */
  readonly text?: string
  readonly value?: unknown
  readonly reasoning?: string
  /** Input and output tokens, as the framework reports them; absent where it reports none. */
  readonly usage?: readonly [number, number]
  /** Names of the classes of the error that the framework threw, and what it says. */
  readonly error?: { readonly classes: readonly string[]; readonly message: string }
  /** The class that stands for such an error in the framework, and a word of its message behind a colon. */
  readonly expects?: string
  readonly lacks?: true
}

/** Models by what becomes of their calls. Frameworks choose by these names what they send, so they are the vendors' own. */
export const models: Readonly<
  Record<CallerDialect, Readonly<Record<'main' | 'reasoning' | 'embeddings' | 'limit' | 'overflow', string>>>
> = {
  chat: {
    main: 'gpt-4.1-mini',
    reasoning: 'gpt-5-mini',
    embeddings: 'text-embedding-3-small',
    limit: 'gpt-4.1-nano',
    overflow: 'gpt-4.1',
  },
  responses: {
    main: 'gpt-4.1-mini',
    reasoning: 'gpt-5-mini',
    embeddings: 'text-embedding-3-small',
    limit: 'gpt-4.1-nano',
    overflow: 'gpt-4.1',
  },
  messages: {
    main: 'claude-sonnet-4-5',
    reasoning: 'claude-sonnet-4-5',
    embeddings: '',
    limit: 'claude-haiku-4-5',
    overflow: 'claude-opus-4-5',
  },
  gemini: {
    main: 'gemini-2.5-flash',
    reasoning: 'gemini-2.5-flash',
    embeddings: 'gemini-embedding-001',
    limit: 'gemini-2.5-flash-lite',
    overflow: 'gemini-2.5-pro',
  },
}

/** The model that a check calls. */
export function modelOf(dialect: CallerDialect, check: Check): string {
  const of = models[dialect]
  return check === 'reasoning' || check === 'embeddings' || check === 'limit' || check === 'overflow'
    ? of[check]
    : of.main
}
