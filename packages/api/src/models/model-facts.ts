import { type ModelCapability, modelTable, type NamedModel, namedModels } from './model-table.ts'

/** The published facts of a model's provider. */
export interface ModelFacts {
  readonly vendor: string
  /** Tokens of input and output together. */
  readonly contextSize?: number
  readonly maxOutputTokens?: number
  readonly capabilities: readonly ModelCapability[]
  /** The day on which the vendor first sold it, `YYYY-MM-DD`. */
  readonly released?: string
}

const releases: ReadonlyMap<string, string> = new Map(
  modelTable.releases.flatMap(({ names, date }) => names.map((name) => [name, date] as const)),
)
const known: ReadonlyMap<string, ModelFacts> = new Map(namedModels.map((named) => [named[0], factsOf(named)]))

function factsOf([name, { vendor, context, maxOutput, can = [] }]: NamedModel): ModelFacts {
  const released = releases.get(name)
  return {
    vendor,
    ...(context !== undefined && { contextSize: context }),
    ...(maxOutput !== undefined && { maxOutputTokens: maxOutput }),
    capabilities: can,
    ...(released !== undefined && { released }),
  }
}

/** Path prefix of the serving platform, in front of the vendor's own model name. */
const path = /^.*\//
/** A suffix that names the release, or the way of serving or requesting, and not the model. */
const release = /(-20\d{6}|-20\d\d-\d\d-\d\d|-latest|-thinking|-maas)$/

/** The public facts of a model; `undefined` for one that no provider in the table has published. */
export function modelFacts(name: string): ModelFacts | undefined {
  const listed = listedName(name)
  return listed === undefined ? undefined : known.get(listed)
}

/** The name that the table of models has for a model: without the path of a platform, and without a release where it names none. */
export function listedName(name: string): string | undefined {
  return withoutRelease(name) ?? withoutRelease(name.replace(path, ''))
}

function withoutRelease(name: string): string | undefined {
  if (known.has(name)) return name
  const shorter = name.replace(release, '')
  return shorter === name ? undefined : withoutRelease(shorter)
}
