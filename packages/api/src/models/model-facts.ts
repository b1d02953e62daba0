import { type ModelCapability, type ModelRow, namedModels } from './model-table.ts'

/** What the maker of a model has published of it. */
export interface ModelFacts {
  readonly vendor: string
  /** Tokens of input and output together. */
  readonly contextSize?: number
  readonly maxOutputTokens?: number
  readonly capabilities: readonly ModelCapability[]
}

const known: ReadonlyMap<string, ModelFacts> = new Map(namedModels.map(([name, row]) => [name, factsOf(row)]))

function factsOf({ vendor, context, maxOutput, can = [] }: ModelRow): ModelFacts {
  return {
    vendor,
    ...(context !== undefined && { contextSize: context }),
    ...(maxOutput !== undefined && { maxOutputTokens: maxOutput }),
    capabilities: can,
  }
}

/** Path prefix of the serving platform, which stands before the vendor's own model name. */
const path = /^.*\//
/** Says which release of a model, how it is served or asked, and not which model. */
const release = /(-20\d{6}|-20\d\d-\d\d-\d\d|-latest|-thinking|-maas)$/

/** What is publicly known of a model; `undefined` for one that no maker in the table has published. */
export function modelFacts(name: string): ModelFacts | undefined {
  return factsByName(name) ?? factsByName(name.replace(path, ''))
}

function factsByName(name: string): ModelFacts | undefined {
  const found = known.get(name)
  if (found !== undefined) return found
  const shorter = name.replace(release, '')
  return shorter === name ? undefined : factsByName(shorter)
}
