import type { Consequence } from '@tollgate/api'
import { defaults, type SettingKey, type SettingValues } from '@tollgate/api/settings'
import { findCost } from '../../billing/pricing/cost-table.ts'
import { termsOf } from '../../billing/pricing/price-table.ts'
import type { PriceTerms, TokenTerms } from '../../billing/pricing/price-terms.ts'
import { modelFigures } from '../model-maps.ts'

/** A price so many times another one, or so small a part of it, is asked about. The step of a decimal point is ten. */
const farFromFormer = 10
/** Operators sell below and above list prices, and cached input at the price of input: beyond this it is a mistake of units. */
const farFromList = 100
const farFromAll = 10

/** Options whose every number is a price, or a factor on prices, by itself. */
const factorOptions = [
  'GroupRatio',
  'TopupGroupRatio',
  'VideoPrice',
  'ToolPrice',
  'TierRatio',
  'LengthPrice',
  'QuotaPerUnit',
  'Price',
  'StripePrice',
] as const satisfies readonly SettingKey[]

/** The options by which a price is written: what any of them changes is compared. */
export const priceOptions: readonly SettingKey[] = [...modelFigures, ...factorOptions]

interface Found {
  readonly consequence: Consequence
  /** How many times one price is the other. */
  readonly times: number
}

/**
 * The prices that a change puts far from what they were, from what the model costs, or from the vendor's list; of each model the one
 * that is farthest off. Whatever option they come from.
 */
export function farPrices(before: SettingValues, after: SettingValues): readonly Consequence[] {
  const found = [
    ...changedModels(before, after).flatMap((model) => farPriceOf(model, before, after)),
    ...factorOptions.flatMap((key) => farFactors(key, before[key], after[key])),
  ]
  return found.toSorted((a, b) => b.times - a.times).map(({ consequence }) => consequence)
}

function changedModels(before: SettingValues, after: SettingValues): readonly string[] {
  const changed = modelFigures.filter((key) => before[key] !== after[key])
  const names = changed.flatMap((key) =>
    namesIn(before[key], after[key]).filter((name) => differs(key, name)),
  )
  return [...new Set(names)]

  function differs(key: (typeof modelFigures)[number], name: string): boolean {
    return own(before[key], name) !== own(after[key], name)
  }
}

/** Prices by the names of their parts: in currency, or in the model ratio's unit. */
type Figures = Readonly<Record<string, number>>

function farPriceOf(model: string, before: SettingValues, after: SettingValues): readonly Found[] {
  const price = figuresOf(after, model)
  if (price === undefined) return []
  const cost = findCost(after, model, 1)
  const known = cost && { figures: figuresOfTerms(cost.price.terms), isList: cost.source === 'list' }
  const former = figuresOf(before, model)
  const found = Object.entries(price).flatMap(([part, figure]) => {
    const list = known?.figures[part]
    const own = former?.[part]
    const compared = [
      // What follows from the table of models is the vendor's price, not one that the operator set.
      ...(own === undefined || own === list
        ? []
        : [{ code: 'price_far_from_former', figure: own, far: farFromFormer } as const]),
      ...(list === undefined
        ? []
        : [
            {
              code: known?.isList ? 'price_far_from_list' : 'price_far_from_cost',
              figure: list,
              far: farFromList,
            } as const,
          ]),
    ]
    if (compared.length === 0) return farFromEveryPrice(model, part, figure, after)
    return compared.flatMap(({ code, figure: reference, far }) =>
      consequenceOf(code, nameOf(model, part), [figure, reference], far, unitOf(part, after)),
    )
  })
  return farthest(found)
}

/** Where nothing is known of a model, the dearest known one is the measure. */
function farFromEveryPrice(
  model: string,
  part: string,
  figure: number,
  { QuotaPerUnit }: SettingValues,
): readonly Found[] {
  const highest = highestFigures()[part] ?? 0
  if (highest === 0 || figure < highest * farFromAll) return []
  return consequenceOf(
    'price_far_from_all',
    nameOf(model, part),
    [figure, highest],
    farFromAll,
    unitOf(part, { QuotaPerUnit }),
  )
}

let highestKnown: Figures | undefined

function highestFigures(): Figures {
  if (highestKnown !== undefined) return highestKnown
  const highest: Record<string, number> = {}
  for (const model of namesIn(defaults.ModelPrice, defaults.ModelRatio))
    for (const [part, figure] of Object.entries(figuresOf(defaults, model) ?? {}))
      highest[part] = Math.max(highest[part] ?? 0, figure)
  highestKnown = highest
  return highest
}

function figuresOf(settings: SettingValues, model: string): Figures | undefined {
  const isPriced = [settings.ModelPrice, settings.ModelRatio].some((map) => Object.hasOwn(map, model))
  // Without a group: its ratio is asked about by itself.
  return isPriced ? figuresOfTerms({ ...termsOf(settings, model, ''), groupRatio: 1 }) : undefined
}

function figuresOfTerms(terms: PriceTerms): Figures {
  return terms.kind === 'per-call' ? { call: terms.modelPrice * terms.groupRatio } : tokenFigures(terms)
}

function tokenFigures(terms: TokenTerms): Figures {
  const input = terms.modelRatio * terms.groupRatio
  const output = input * terms.completionRatio
  const audio = input * terms.audioRatio
  const image = input * terms.imageRatio
  const { audioCompletionRatio, imageCompletionRatio } = terms
  return {
    input,
    output,
    cache_read: input * terms.cacheReadRatio,
    cache_write: input * terms.cacheWriteRatio,
    audio_input: audio,
    audio_output: audioCompletionRatio === undefined ? output : audio * audioCompletionRatio,
    image_input: image,
    image_output: imageCompletionRatio === undefined ? output : image * imageCompletionRatio,
  }
}

function nameOf(model: string, part: string): string {
  return part === 'call' ? model : `${model} (${part.replace('_', ' ')})`
}

/** Currency for one of a figure's unit: for a million tokens, or itself. */
function unitOf(part: string, { QuotaPerUnit }: Pick<SettingValues, 'QuotaPerUnit'>): number {
  return part === 'call' ? 1 : 1_000_000 / QuotaPerUnit
}

/** The numbers of an option that are far from what they were; a new entry is compared with the factor that changes nothing. */
function farFactors(key: (typeof factorOptions)[number], before: unknown, after: unknown): readonly Found[] {
  if (before === after) return []
  const former = numbersIn(before)
  const isFactor = key === 'GroupRatio' || key === 'TopupGroupRatio'
  return [...numbersIn(after)].flatMap(([path, figure]) => {
    const reference = former.get(path) ?? (isFactor && figure > 0 ? 1 : undefined)
    if (reference === undefined) return []
    const name = path === '' ? key : `${key} ${path}`
    return consequenceOf('price_far_from_former', name, [figure, reference], farFromFormer, 1)
  })
}

/** Every number of a value by its path. */
function numbersIn(value: unknown, path = ''): ReadonlyMap<string, number> {
  if (typeof value === 'number') return new Map([[path, value]])
  if (typeof value !== 'object' || value === null) return new Map()
  const entries = Object.entries(value).flatMap(([name, item]) => [
    ...numbersIn(item, path === '' ? name : `${path} ${name}`),
  ])
  return new Map(entries)
}

function consequenceOf(
  code: Consequence['code'],
  name: string,
  [figure, reference]: readonly [figure: number, reference: number],
  far: number,
  unit: number,
): readonly Found[] {
  const times = timesOf(figure, reference)
  if (times < far) return []
  const details = { name, price: readable(figure * unit), reference: readable(reference * unit) }
  return [{ times, consequence: { code, details } }]
}

/** For nothing is as far as can be; what was free until now is far from no price. */
function timesOf(figure: number, reference: number): number {
  if (reference <= 0 || figure === reference) return 1
  return figure <= 0
    ? Number.POSITIVE_INFINITY
    : Math.max(figure / reference, reference / figure) * (1 + 1e-9)
}

function farthest(found: readonly Found[]): readonly Found[] {
  return found.toSorted((a, b) => b.times - a.times).slice(0, 1)
}

function readable(amount: number): number {
  return Number(amount.toPrecision(9))
}

function namesIn(...maps: readonly object[]): readonly string[] {
  return [...new Set(maps.flatMap(Object.keys))]
}

function own(map: Readonly<Record<string, number>>, name: string): number | undefined {
  return Object.hasOwn(map, name) ? map[name] : undefined
}
