import { listedName } from '@tollgate/api'
import { defaults, type SettingKey } from '@tollgate/api/settings'
import { getOrInsert } from '@tollgate/base'
import { liteLlmProviderOf } from '@tollgate/providers/litellm'
import { defaultCompletionRatio } from '../../../billing/pricing/completion-ratio.ts'
import { modelFigures } from '../../../settings/model-maps.ts'
import type { SourceOption, UnplacedTable } from '../import-source.ts'
import type { Deployment } from './deployments.ts'

type Figure = (typeof modelFigures)[number]
type Figures = { readonly [Key in Figure]?: number }

/** Prices per token that are a multiple of another one here. */
const multiples = [
  ['CompletionRatio', 'output_cost_per_token', 'input_cost_per_token'],
  ['CacheRatio', 'cache_read_input_token_cost', 'input_cost_per_token'],
  ['CreateCacheRatio', 'cache_creation_input_token_cost', 'input_cost_per_token'],
  ['AudioRatio', 'input_cost_per_audio_token', 'input_cost_per_token'],
  ['AudioCompletionRatio', 'output_cost_per_audio_token', 'input_cost_per_audio_token'],
] as const satisfies readonly (readonly [Figure, string, string])[]

const taken: ReadonlySet<string> = new Set(multiples.flatMap(([, price, base]) => [price, base]))
const digits = 1e6

/** The prices that calls of deployments are charged there, as ratios: those that they name, else those of the vendor's model. */
export function pricesOf(deployments: readonly Deployment[], quotaPerUnit: number): readonly SourceOption[] {
  const maps = new Map<SettingKey, Map<string, number>>()
  for (const deployment of deployments)
    for (const [key, value] of Object.entries(figuresOf(deployment, quotaPerUnit))) {
      // `Object.entries` loses the type of its keys.
      getOrInsert(maps, key as Figure, () => new Map()).set(deployment.name, value)
    }
  return [...maps].map(([key, map]) => ({
    key,
    value: JSON.stringify(Object.fromEntries(map)),
    isPartial: true,
  }))
}

/** The prices that have no place here, by their name there, and names of models that have several prices. */
export function unplacedPrices(deployments: readonly Deployment[]): readonly UnplacedTable[] {
  const fields = grouped(deployments.flatMap(unplacedFields), ({ field }) => field)
  const several = [...grouped(deployments, ({ name }) => name)].filter(
    ([, same]) => new Set(same.map((each) => JSON.stringify(figuresOf(each, 1_000_000)))).size > 1,
  )
  return [
    ...[...fields].map(([field, found]) => ({
      table: `price ${field}`,
      rows: found.length,
      why: `${found[0]?.why} (${found[0]?.model})`,
    })),
    ...several.map(([name, same]) => ({
      table: `price of ${name}`,
      rows: same.length,
      why: 'its deployments have several prices there; a model has one here, that of the last',
    })),
  ]
}

function figuresOf(deployment: Deployment, quotaPerUnit: number): Figures {
  const price = pricesIn(deployment)
  const input = price('input_cost_per_token')
  if (input === undefined) return namesPrice(deployment) ? {} : vendorFigures(deployment)
  if (input === 0) return price('output_cost_per_token') ? {} : { ModelRatio: 0 }
  const ratios = multiples.flatMap(([key, name, base]) => {
    const [figure, of] = [price(name), price(base)]
    return figure === undefined || !of ? [] : [[key, rounded(figure / of)] as const]
  })
  return {
    ModelRatio: rounded(input * quotaPerUnit),
    CompletionRatio: rounded(vendorOutputPrice(deployment, quotaPerUnit) / input),
    ...Object.fromEntries(ratios),
  }
}

/** Returns what LiteLLM charges for output that a deployment names no price for: what the vendor does, and nothing where no list says. */
function vendorOutputPrice(deployment: Deployment, quotaPerUnit: number): number {
  const model = vendorModel(deployment)
  const ratio = model === undefined ? undefined : defaults.ModelRatio[model]
  if (model === undefined || ratio === undefined) return 0
  return (ratio * (defaults.CompletionRatio[model] ?? defaultCompletionRatio(model))) / quotaPerUnit
}

function vendorModel({ parameters }: Deployment): string | undefined {
  const provider = liteLlmProviderOf(parameters.model, parameters.custom_llm_provider)
  return typeof provider === 'string' ? undefined : listedName(provider.model)
}

/** Returns the vendor's price of a model under a name of the operator's own: no list prices that one here. */
function vendorFigures(deployment: Deployment): Figures {
  const model = vendorModel(deployment)
  if (model === undefined || deployment.name === model) return {}
  const listed = modelFigures.flatMap((key) =>
    Object.hasOwn(defaults[key], model) ? [[key, defaults[key][model] ?? 0] as const] : [],
  )
  const figures: Figures = Object.fromEntries(listed)
  // A name of the operator's own belongs to no family.
  return figures.ModelRatio === undefined
    ? figures
    : { CompletionRatio: defaultCompletionRatio(model), ...figures }
}

function unplacedFields(deployment: Deployment) {
  const price = pricesIn(deployment)
  const model = deployment.name
  const names = Object.keys({ ...deployment.info, ...deployment.parameters }).filter((name) =>
    /cost/.test(name) ? !taken.has(name) && price(name) : false,
  )
  const others = names.map((field) => ({ field, model, why: 'such a price has no place here' }))
  const isLost = !price('input_cost_per_token') && price('output_cost_per_token')
  const why = 'other prices are multiples of the price of input here, and there is none: set one'
  return isLost ? [...others, { field: 'output_cost_per_token', model, why }] : others
}

function grouped<Item>(items: readonly Item[], keyOf: (item: Item) => string): ReadonlyMap<string, Item[]> {
  const groups = new Map<string, Item[]>()
  for (const item of items) getOrInsert(groups, keyOf(item), () => []).push(item)
  return groups
}

function namesPrice(deployment: Deployment): boolean {
  return Boolean(pricesIn(deployment)('output_cost_per_token'))
}

/** Parameters of the call come before what is known of the model. */
function pricesIn({ parameters, info }: Deployment): (name: string) => number | undefined {
  return (name) => {
    const value = Number(parameters[name] ?? info[name] ?? Number.NaN)
    return Number.isFinite(value) && value >= 0 ? value : undefined
  }
}

/** Rounds away the last digits of a division. */
function rounded(ratio: number): number {
  return Math.round(ratio * digits) / digits
}
