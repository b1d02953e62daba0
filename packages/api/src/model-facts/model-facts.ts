export const modelCapabilities = [
  'chat',
  /** Reads images. */
  'vision',
  /** Calls functions. */
  'tools',
  'reasoning',
  /** Hears or speaks within a conversation. */
  'audio',
  'embedding',
  /** Draws. */
  'image',
  'rerank',
  'transcription',
  'speech',
  'moderation',
] as const
export type ModelCapability = (typeof modelCapabilities)[number]

/** What the maker of a model has published of it. */
export interface ModelFacts {
  readonly vendor: string
  /** Tokens of input and output together. */
  readonly contextSize?: number
  readonly maxOutputTokens?: number
  readonly capabilities: readonly ModelCapability[]
}

/** Models that are alike in all of it. Figures are in tokens; `undefined` where the maker says none. */
export type FactRow = readonly [
  contextSize: number | undefined,
  maxOutputTokens: number | undefined,
  capabilities: readonly ModelCapability[],
  models: readonly string[],
]

export function factsOf(vendor: string, rows: readonly FactRow[]): [model: string, facts: ModelFacts][] {
  return rows.flatMap(([contextSize, maxOutputTokens, capabilities, models]) => {
    const facts: ModelFacts = {
      vendor,
      ...(contextSize !== undefined && { contextSize }),
      ...(maxOutputTokens !== undefined && { maxOutputTokens }),
      capabilities,
    }
    return models.map((model): [string, ModelFacts] => [model, facts])
  })
}

/** What models of a kind can do. */
export const text = ['chat', 'tools'] as const satisfies readonly ModelCapability[]
export const seeing = ['chat', 'tools', 'vision'] as const satisfies readonly ModelCapability[]
export const thinking = ['chat', 'tools', 'reasoning'] as const satisfies readonly ModelCapability[]
export const seeingThinking = [...seeing, 'reasoning'] as const satisfies readonly ModelCapability[]
