import type { SchemaProfile } from '../../canonical/schema-dialect.ts'
import { schemaDialects } from '../../schemas/dialects.ts'

/** Traits of a model that its name says. */
export interface ModelTraits {
  /** Gemini's generation, 2.5 for example; 0 for a name without one. */
  readonly generation: number
  readonly isPro: boolean
  readonly isLite: boolean
  /** Gemma takes no system instruction. */
  readonly isGemma: boolean
  /** Way to ask for reasoning; every generation from 2.5 on takes a budget. */
  readonly thinking: 'level' | 'budget' | 'none'
  /**
   * JSON and tools in one request: before Gemini 3 refused ("Function calling with a response mime type: 'application/json' is
   * unsupported"). https://ai.google.dev/gemini-api/docs/structured-output#structured_outputs_with_tools,
   * https://github.com/googleapis/python-genai/issues/867 (2026-11-30)
   */
  readonly jsonWithTools: boolean
  /** Language in which it reads schemas. */
  readonly schemas: SchemaProfile
}

/**
 * `responseJsonSchema` and `parametersJsonSchema` are there from generation 2.5 on: in the Gemini API from v1beta on, in
 * Vertex AI from v1 on. https://ai.google.dev/api/generate-content#generationconfig, 2026-11-28
 */
const jsonSchemaSince = 2.5
const jsonSchema = { tools: schemaDialects.geminiTool, output: schemaDialects.geminiOutput }
const openApi = { tools: schemaDialects.geminiOpenApiTool, output: schemaDialects.geminiOpenApi }

/** The first generation's names, which hold no number either. */
const firstName = /(^|\/)(gemini-(pro|ultra)(-vision)?$|gemma)/

/** Names without a number point at the latest generation, which is at least this. */
const latestGeneration = 3

/** Returns what a model takes, by its name. */
export function traitsOf(model: string): ModelTraits {
  const name = model.toLowerCase()
  const numbered = /gemini-(\d+(?:\.\d+)?)/.exec(name)
  const isLatest = /gemini-(pro|flash|flash-lite)-latest/.test(name)
  const generation = numbered === null ? (isLatest ? latestGeneration : 0) : Number(numbered[1])
  return {
    generation,
    isPro: /-pro\b/.test(name),
    isLite: /-lite\b/.test(name),
    isGemma: /(^|\/)gemma/.test(name),
    thinking: thinkingOf(generation, name),
    jsonWithTools: generation === 0 || generation >= 3,
    schemas: readsJsonSchema(generation, name) ? jsonSchema : openApi,
  }
}

/** Names of deployments and new models show no generation: they get a budget. */
function thinkingOf(generation: number, name: string): ModelTraits['thinking'] {
  if (generation >= 3) return 'level'
  return generation >= 2.5 || (generation === 0 && !firstName.test(name)) ? 'budget' : 'none'
}

/** A name that shows no generation is one of a tuned or a later model, unless it is of the first. */
function readsJsonSchema(generation: number, name: string): boolean {
  return generation >= jsonSchemaSince || (generation === 0 && !firstName.test(name))
}

/** Models from here on check the thought signatures of calls, and take a thinking level instead of a budget. */
export function isGemini3(traits: ModelTraits): boolean {
  return traits.generation >= 3
}
