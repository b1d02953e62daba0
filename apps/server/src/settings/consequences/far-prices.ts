import {
  type Consequence,
  type PriceDetails,
  type PricedPart,
  type PriceUnit,
  tokenPriceKinds,
} from '@tollgate/api'
import { defaults, type SettingKey, type SettingValues } from '@tollgate/api/settings'
import { decimalOf, multiply, numberOf } from '@tollgate/base/decimal'
import { findCost } from '../../billing/pricing/cost-table.ts'
import { weightsOf } from '../../billing/pricing/price.ts'
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
  'TimePrice',
  'QuotaPerUnit',
  'Price',
  'StripePrice',
] as const satisfies readonly SettingKey[]

/** The options by which a price is written: what any of them changes is compared. */
export const priceOptions: readonly SettingKey[] = [...modelFigures, ...factorOptions]

interface Found {
  readonly consequence: Consequence
  /** Factor between the two prices. */
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

/** Lists models whose own figures differ. */
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

/** Prices by their parts: in currency, or in the model ratio's unit. */
type Figures = { readonly [Part in PricedPart]?: number }

function farPriceOf(model: string, before: SettingValues, after: SettingValues): readonly Found[] {
  const price = figuresOf(after, model)
  if (price === undefined) return []
  const cost = findCost(after, model, 1)
  const known = cost && { figures: figuresOfTerms(cost.price.terms), isList: cost.source === 'list' }
  const former = figuresOf(before, model)
  const found = entriesOf(price).flatMap(([part, figure]) => {
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
      consequenceOf(code, subjectOf(model, part, after), [figure, reference], far),
    )
  })
  return farthest(found)
}

/** Compares a price with all known ones: for an unknown model the dearest known one is the measure. */
function farFromEveryPrice(
  model: string,
  part: PricedPart,
  figure: number,
  settings: SettingValues,
): readonly Found[] {
  const highest = highestFigures()[part] ?? 0
  if (highest === 0 || figure < highest * farFromAll) return []
  return consequenceOf('price_far_from_all', subjectOf(model, part, settings), [figure, highest], farFromAll)
}

let highestKnown: Figures | undefined

function highestFigures(): Figures {
  if (highestKnown !== undefined) return highestKnown
  const highest: { [Part in PricedPart]?: number } = {}
  for (const model of namesIn(defaults.ModelPrice, defaults.ModelRatio))
    for (const [part, figure] of entriesOf(figuresOf(defaults, model) ?? {}))
      highest[part] = Math.max(highest[part] ?? 0, figure)
  highestKnown = highest
  return highest
}

/** Returns the prices of a model before the ratio of any group; `undefined` for one without a price. */
function figuresOf(settings: SettingValues, model: string): Figures | undefined {
  const isPriced = [settings.ModelPrice, settings.ModelRatio].some((map) => Object.hasOwn(map, model))
  // Without a group: its ratio is asked about by itself.
  return isPriced ? figuresOfTerms({ ...termsOf(settings, model, ''), groupRatio: 1 }) : undefined
}

function figuresOfTerms(terms: PriceTerms): Figures {
  return terms.kind === 'per-call' ? { call: terms.modelPrice * terms.groupRatio } : tokenFigures(terms)
}

function tokenFigures(terms: TokenTerms): Figures {
  const weights = weightsOf(terms)
  const input = multiply(decimalOf(terms.modelRatio), decimalOf(terms.groupRatio))
  return Object.fromEntries(
    tokenPriceKinds.map(({ name, token }) => [name, numberOf(multiply(input, weights[token]))]),
  )
}

/** Subject of a price and the unit in which it is written: `scale` is currency, or a factor, for one of a figure's unit. */
interface Subject {
  readonly name: string
  readonly within: string
  readonly part: PricedPart
  readonly unit: PriceUnit
  readonly scale: number
}

/** Returns the unit in which a part of a model's price is written. */
function subjectOf(model: string, part: PricedPart, { QuotaPerUnit, VideoPrice }: SettingValues): Subject {
  if (part !== 'call')
    return { name: model, within: '', part, unit: 'million', scale: 1_000_000 / QuotaPerUnit }
  const video = Object.hasOwn(VideoPrice, model) ? VideoPrice[model]?.unit : undefined
  return { name: model, within: '', part, unit: video ?? 'call', scale: 1 }
}

/** Factors, but for these. */
const optionUnits: { readonly [Key in (typeof factorOptions)[number]]?: PriceUnit } = {
  ToolPrice: 'thousandCalls',
  QuotaPerUnit: 'number',
  Price: 'number',
  StripePrice: 'number',
}

/** A number of tokens, not a price. */
function isThreshold(key: SettingKey, position: string): boolean {
  return key === 'LengthPrice' && pathOf(position).slice(2).join() === 'above'
}

/** The numbers of an option that are far from what they were; a new entry is compared with the factor that changes nothing. */
function farFactors(key: (typeof factorOptions)[number], before: unknown, after: unknown): readonly Found[] {
  if (before === after) return []
  const former = numbersIn(before)
  const isFactor = key === 'GroupRatio' || key === 'TopupGroupRatio'
  return [...numbersIn(after)].flatMap(([position, figure]) => {
    const reference = former.get(position) ?? (isFactor && figure > 0 ? 1 : undefined)
    if (reference === undefined || isThreshold(key, position)) return []
    const [name = '', ...within] = pathOf(position)
    const unit = optionUnits[key] ?? 'factor'
    const subject: Subject = { name, within: within.join(' '), part: key, unit, scale: 1 }
    return consequenceOf('price_far_from_former', subject, [figure, reference], farFromFormer)
  })
}

/** Every number of a value by its path, which is written as JSON: names may have any character. */
function numbersIn(value: unknown, path: readonly string[] = []): ReadonlyMap<string, number> {
  if (typeof value === 'number') return new Map([[JSON.stringify(path), value]])
  if (typeof value !== 'object' || value === null) return new Map()
  const entries = Object.entries(value).flatMap(([name, item]) => [...numbersIn(item, [...path, name])])
  return new Map(entries)
}

function pathOf(position: string): readonly string[] {
  return JSON.parse(position) as readonly string[]
}

function consequenceOf(
  code: Consequence['code'],
  { scale, ...subject }: Subject,
  [figure, reference]: readonly [figure: number, reference: number],
  far: number,
): readonly Found[] {
  const times = timesOf(figure, reference)
  if (times < far) return []
  const details = { ...subject, price: readable(figure * scale), reference: readable(reference * scale) }
  return [{ times, consequence: { code, details: details satisfies PriceDetails } }]
}

/** Returns the factor between two prices. A price of nothing is infinitely far; what was free until now is far from no price. */
function timesOf(figure: number, reference: number): number {
  if (reference <= 0 || figure === reference) return 1
  return figure <= 0
    ? Number.POSITIVE_INFINITY
    : Math.max(figure / reference, reference / figure) * (1 + 1e-9)
}

function farthest(found: readonly Found[]): readonly Found[] {
  return found.toSorted((a, b) => b.times - a.times).slice(0, 1)
}

/** Rounds away what binary fractions add. */
const readable = (amount: number): number => Number(amount.toPrecision(9))

/** A record with names of its own type; `Object.entries` loses it. */
function entriesOf(figures: Figures): readonly (readonly [PricedPart, number])[] {
  return Object.entries(figures) as [PricedPart, number][]
}

function namesIn(...maps: readonly object[]): readonly string[] {
  return [...new Set(maps.flatMap(Object.keys))]
}

function own(map: Readonly<Record<string, number>>, name: string): number | undefined {
  return Object.hasOwn(map, name) ? map[name] : undefined
}
