import type { UserGroups } from '@tollgate/api'
import { fieldsOf, listOf, parseJson, textOf } from '../../lib/format/json.ts'
import type { Turn } from './chat/chat-calls.ts'
import { type Column, columns } from './chat/conversation.ts'
import { type ResponseFormat, readResponseFormat, type ToolSettings } from './chat/response-format.ts'

/** A model to talk to, and the group to spend in. */
interface Choice {
  readonly group: string
  readonly model: string
}

/** Settings of a person, as this browser stores them. Model and group are empty until chosen. */
export interface PlaygroundSettings extends Choice, ToolSettings {
  readonly temperature: number
  /** 0 sets no limit. */
  readonly maxTokens: number
  readonly system: string
  readonly stream: boolean
  /** Set while the panel stands beside the chat. */
  readonly panelOpen: boolean
  /** Set while other models respond beside the first. */
  readonly compare: boolean
  /** Choices of the columns after the first: at least one, at most `maxOthers`. */
  readonly others: readonly Choice[]
  /** Empty: the model's own. */
  readonly reasoningEffort: ReasoningEffort | ''
  readonly format: ResponseFormat
}

/** Efforts of reasoning, from the least on, as Chat Completions names them. */
export const reasoningEfforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh'] as const
export type ReasoningEffort = (typeof reasoningEfforts)[number]

/** Models beside the first. */
export const maxOthers = columns.length - 1
const unchosen: Choice = { group: '', model: '' }

export const defaultSettings: PlaygroundSettings = {
  group: '',
  model: '',
  temperature: 0,
  maxTokens: 0,
  system: 'You are a helpful assistant.',
  stream: true,
  panelOpen: true,
  compare: false,
  others: [unchosen],
  reasoningEffort: '',
  format: { type: 'text', schema: '' },
  tools: '',
}

export const temperatureSteps = { min: 0.1, max: 1, step: 0.1 } as const

/** Reads what was kept; every value that does not fit is the default. */
export function readSettings(text: string | null): PlaygroundSettings {
  const stored = fieldsOf(text === null ? null : parseJson(text))
  const { temperature, maxTokens } = stored
  return {
    group: textOf(stored.group, defaultSettings.group),
    model: textOf(stored.model, defaultSettings.model),
    temperature: isNumber(temperature, 0, temperatureSteps.max) ? temperature : defaultSettings.temperature,
    maxTokens: isNumber(maxTokens, 0, Number.MAX_SAFE_INTEGER)
      ? Math.trunc(maxTokens)
      : defaultSettings.maxTokens,
    system: textOf(stored.system, defaultSettings.system),
    stream: stored.stream !== false,
    panelOpen: stored.panelOpen !== false,
    compare: stored.compare === true,
    others: readOthers(stored.others),
    reasoningEffort: reasoningEfforts.find((effort) => effort === stored.reasoningEffort) ?? '',
    format: readResponseFormat(stored.format),
    tools: textOf(stored.tools),
  }
}

function readOthers(value: unknown): readonly Choice[] {
  const others = listOf(value).slice(0, maxOthers).map(readChoice)
  return others.length === 0 ? defaultSettings.others : others
}

function readChoice(value: unknown): Choice {
  const { group, model } = fieldsOf(value)
  return { group: textOf(group), model: textOf(model) }
}

/** The model to talk to: the one asked for, else the usual first choice, else whatever there is. */
export function chooseModel(wanted: string, models: readonly string[]): string {
  if (wanted !== '' && (models.includes(wanted) || models.length === 0)) return wanted
  return models.includes(defaultModel) ? defaultModel : (models[0] ?? '')
}

const defaultModel = 'gpt-4o-mini'

/** The model to compare with: the one asked for, else one that no other column asks. */
function chooseOtherModel(wanted: string, models: readonly string[], before: readonly string[]): string {
  const others = models.filter((model) => !before.includes(model))
  return chooseModel(wanted, models.includes(wanted) || others.length === 0 ? models : others)
}

/** Chooses group and model of each column after the first, from what is there to choose from. */
export function chooseOthers(
  wanted: readonly Choice[],
  first: string,
  models: readonly string[],
  groups: readonly GroupChoice[],
): readonly Choice[] {
  const before = [first]
  return wanted.map(({ group, model }) => {
    const chosen = chooseOtherModel(model, models, before)
    before.push(chosen)
    return { group: chooseGroup(group, groups), model: chosen }
  })
}

/** The columns that respond, each with its group and model. */
export function targetsOf(settings: PlaygroundSettings): readonly Target[] {
  const { group, model, compare, others } = settings
  return columns.flatMap((column): readonly Target[] => {
    if (column === 0) return [{ column, group, model }]
    const other = compare ? others[column - 1] : undefined
    return other ? [{ column, ...other }] : []
  })
}

/** Changes what one column asks. */
export function withChoice(
  settings: Pick<PlaygroundSettings, 'others'>,
  column: Column,
  part: Partial<Choice>,
): Partial<PlaygroundSettings> {
  if (column === 0) return part
  return { others: settings.others.map((other, at) => (at === column - 1 ? { ...other, ...part } : other)) }
}

/** One more model beside the first. */
export function withColumn({ compare, others }: PlaygroundSettings): Partial<PlaygroundSettings> {
  return { compare: true, others: compare ? [...others, unchosen].slice(0, maxOthers) : others }
}

/** One model fewer; none is compared when the last one goes. */
export function withoutColumn({ others }: PlaygroundSettings, column: Column): Partial<PlaygroundSettings> {
  const left = others.filter((_, at) => at !== column - 1)
  return left.length === 0 ? { compare: false } : { others: left }
}

export interface Target extends Choice {
  readonly column: Column
}

/** Returns the parameters of a column's request. */
export function turnOf(settings: PlaygroundSettings, { column, group, model }: Target): Turn {
  const { temperature, maxTokens, stream, system, reasoningEffort, format, tools } = settings
  return {
    column,
    system,
    settings: { group, model, temperature, maxTokens, stream, reasoningEffort, format, tools },
  }
}

/** A group to choose, with its price ratio. */
interface GroupChoice {
  readonly name: string
  readonly description: string
  readonly ratio: number
}

/** The groups a person may spend in, their own first. */
export function groupChoices(groups: UserGroups, own: string): readonly GroupChoice[] {
  const choices = Object.entries(groups).map(([name, { desc, ratio }]) => ({
    name,
    description: desc,
    ratio,
  }))
  return [...choices.filter(({ name }) => name === own), ...choices.filter(({ name }) => name !== own)]
}

/** The group to spend in: the one asked for while it is open, else the first, which is the person's own. */
export function chooseGroup(wanted: string, choices: readonly GroupChoice[]): string {
  return choices.find(({ name }) => name === wanted)?.name ?? choices[0]?.name ?? ''
}

function isNumber(value: unknown, min: number, max: number): value is number {
  return typeof value === 'number' && value >= min && value <= max
}
