/** What a model's name says of how it is to be called. */
export interface ModelTraits {
  /** Gemini's generation, 2.5 for example; 0 for a name that does not tell it. */
  readonly generation: number
  readonly isPro: boolean
  readonly isLite: boolean
  /** Gemma takes no system instruction. */
  readonly isGemma: boolean
}

/** Names without a number point at the latest generation, which is at least this. */
const latestGeneration = 3

export function traitsOf(model: string): ModelTraits {
  const name = model.toLowerCase()
  const numbered = /gemini-(\d+(?:\.\d+)?)/.exec(name)
  const isLatest = /gemini-(pro|flash|flash-lite)-latest/.test(name)
  return {
    generation: numbered === null ? (isLatest ? latestGeneration : 0) : Number(numbered[1]),
    isPro: /-pro\b/.test(name),
    isLite: /-lite\b/.test(name),
    isGemma: /(^|\/)gemma/.test(name),
  }
}

/** Models from here on check the thought signatures of calls, and take a thinking level instead of a budget. */
export function isGemini3(traits: ModelTraits): boolean {
  return traits.generation >= 3
}
