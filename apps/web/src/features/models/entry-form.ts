import { type PriceEdit, type PriceEntries, priceEntryKinds } from '@tollgate/api'
import { parseNumber } from '../../components/ui/field/input.tsx'

/** Figures by name as they are typed; a blank one is none. */
export type FactorForm = Readonly<Record<string, string>>

/** A step of long prompts as it is typed. */
export interface StepForm {
  readonly above: string
  readonly input: string
  readonly output: string
  /** Blank: as `input`. */
  readonly cached: string
}

/** The terms of a video's price as they are typed. */
export interface VideoForm {
  readonly unit: 'second' | 'call'
  readonly resolutions: FactorForm
  /** Blank: callers cannot order sound. */
  readonly sound: string
}

/** Charges of a model beside its tokens as they are typed. */
export interface EntryForms {
  readonly tools: FactorForm
  readonly tiers: FactorForm
  readonly steps: readonly StepForm[]
  readonly video: VideoForm
}

const maxToolPrice = 100_000
const maxFactor = 1000
export const maxSteps = 8
/** A new step: twice the price, as vendors charge prompts beyond a size. */
export const newStep: StepForm = { above: '', input: '2', output: '1.5', cached: '' }

export function startEntryForms({ tools, tiers, steps = [], video }: PriceEntries): EntryForms {
  return {
    tools: textsOf(tools),
    tiers: textsOf(tiers),
    steps: steps.map(({ above, input, output, cached }) => ({
      above: String(above),
      input: String(input),
      output: String(output),
      cached: cached === undefined ? '' : String(cached),
    })),
    video: {
      unit: video?.unit ?? 'call',
      resolutions: textsOf(video?.resolutions),
      sound: video?.sound === undefined ? '' : String(video.sound),
    },
  }
}

function textsOf(figures: Readonly<Record<string, number>> = {}): FactorForm {
  return Object.fromEntries(Object.entries(figures).map(([name, figure]) => [name, String(figure)]))
}

/** Finds the kinds whose figures cannot be saved. */
export function entryProblems({ tools, tiers, steps, video }: EntryForms): readonly (keyof EntryForms)[] {
  const wrong = {
    tools: !areFigures(tools, maxToolPrice),
    tiers: !areFigures(tiers, maxFactor),
    steps: steps.length > maxSteps || steps.some((step, index) => isWrongStep(step, steps[index - 1])),
    video: !areFigures({ ...video.resolutions, sound: video.sound }, maxFactor),
  }
  return priceEntryKinds.flatMap(({ name }) => (wrong[name] ? [name] : []))
}

function areFigures(form: FactorForm, max: number): boolean {
  return Object.values(form).every((text) => text.trim() === '' || figureOf(text, max) !== undefined)
}

function isWrongStep({ above, input, output, cached }: StepForm, before: StepForm | undefined): boolean {
  const at = parseNumber(above, false)
  if (at === undefined || at < 1 || at <= (parseNumber(before?.above ?? '0', false) ?? 0)) return true
  const factors = cached.trim() === '' ? [input, output] : [input, output, cached]
  return factors.some((text) => figureOf(text, maxFactor) === undefined)
}

function figureOf(text: string, max: number): number | undefined {
  const value = parseNumber(text, true)
  return value !== undefined && value >= 0 && value <= max ? value : undefined
}

/** Returns the entries of forms without problems; a kind without figures is left out. */
function entriesOf({ tools, tiers, steps, video }: EntryForms): PriceEntries {
  const [toolPrices, tierRatios, resolutions] = [
    figuresOf(tools),
    figuresOf(tiers),
    figuresOf(video.resolutions),
  ]
  const sound = parseNumber(video.sound, true)
  const isVideo = video.unit === 'second' || Object.keys(resolutions).length > 0 || sound !== undefined
  return {
    ...(Object.keys(toolPrices).length > 0 && { tools: toolPrices }),
    ...(Object.keys(tierRatios).length > 0 && { tiers: tierRatios }),
    ...(steps.length > 0 && { steps: steps.map(stepOf) }),
    ...(isVideo && { video: { unit: video.unit, resolutions, ...(sound !== undefined && { sound }) } }),
  }
}

function figuresOf(form: FactorForm): Record<string, number> {
  const figures = Object.entries(form).map(([name, text]) => [name, parseNumber(text, true)] as const)
  return Object.fromEntries(
    figures.flatMap(([name, figure]) => (figure === undefined ? [] : [[name, figure]])),
  )
}

function stepOf({ above, input, output, cached }: StepForm) {
  const factor = parseNumber(cached, true)
  return {
    above: parseNumber(above, false) ?? 0,
    input: parseNumber(input, true) ?? 1,
    output: parseNumber(output, true) ?? 1,
    ...(factor !== undefined && { cached: factor }),
  }
}

interface EntriesChange {
  readonly entries?: PriceEdit['entries']
  readonly entries_base?: PriceEntries
}

/** Returns the change of the entries to save: nothing where all are as they are stored. */
export function entriesChange(stored: PriceEntries, forms: EntryForms): EntriesChange {
  const [before, after] = [entriesOf(startEntryForms(stored)), entriesOf(forms)]
  const changed = priceEntryKinds.flatMap(({ name }) =>
    isSame(before[name], after[name]) ? [] : [[name, after[name] ?? null] as const],
  )
  return changed.length === 0 ? {} : { entries: Object.fromEntries(changed), entries_base: stored }
}

/** The order of members says nothing. */
function isSame(one: unknown, other: unknown): boolean {
  return sorted(one) === sorted(other)
}

function sorted(value: unknown): string {
  return (
    JSON.stringify(value, (_key, member: unknown) =>
      typeof member === 'object' && member !== null && !Array.isArray(member)
        ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
        : member,
    ) ?? ''
  )
}
