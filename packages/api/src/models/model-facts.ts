import { type ListPrice, type ModelCapability, type ModelRow, namedModels } from './model-table.ts'

/** The published facts of a model's provider. */
export interface ModelFacts {
  readonly vendor: string
  /** Tokens of input and output together. */
  readonly contextSize?: number
  readonly maxOutputTokens?: number
  readonly capabilities: readonly ModelCapability[]
}

const known: ReadonlyMap<string, ModelRow> = new Map(namedModels)

function factsOf({ vendor, context, maxOutput, can = [] }: ModelRow): ModelFacts {
  return {
    vendor,
    ...(context !== undefined && { contextSize: context }),
    ...(maxOutput !== undefined && { maxOutputTokens: maxOutput }),
    capabilities: can,
  }
}

/** Path prefix of the serving platform, in front of the vendor's own model name. */
const path = /^.*\//
/** A suffix that names the release, or the way of serving or requesting, and not the model. */
const release = /(-20\d{6}|-20\d\d-\d\d-\d\d|-latest|-thinking|-maas)$/

/** The public facts of a model; `undefined` for one that no provider in the table has published. */
export function modelFacts(name: string): ModelFacts | undefined {
  const row = findRow(name)
  return row && factsOf(row)
}

/**
 * What the provider of a model charges for it; `undefined` for a model without a price in the table. Output that costs as much
 * as the ratio of its family says is left out.
 */
export function modelListPrice(name: string): ListPrice | undefined {
  return findRow(name)?.price
}

function findRow(name: string): ModelRow | undefined {
  return rowByName(name) ?? rowByName(name.replace(path, ''))
}

function rowByName(name: string): ModelRow | undefined {
  const found = known.get(name)
  if (found !== undefined) return found
  const shorter = name.replace(release, '')
  return shorter === name ? undefined : rowByName(shorter)
}
