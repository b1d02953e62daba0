import type { UserGroups } from '@tollgate/api'
import { fieldsOf, parseJson, textOf } from '../../lib/format/json.ts'
import type { Turn } from './chat/chat-calls.ts'
import type { Column } from './chat/conversation.ts'

/** Settings of a person, as this browser stores them. Model and group are empty until chosen. */
export interface PlaygroundSettings {
  readonly group: string
  readonly model: string
  readonly temperature: number
  /** 0 sets no limit. */
  readonly maxTokens: number
  readonly system: string
  readonly stream: boolean
  /** Set while the panel stands beside the chat. */
  readonly panelOpen: boolean
  /** Set while a second model responds beside the first. */
  readonly compare: boolean
  /** Group of the second column. */
  readonly otherGroup: string
  readonly otherModel: string
}

export const defaultSettings: PlaygroundSettings = {
  group: '',
  model: '',
  temperature: 0,
  maxTokens: 0,
  system: 'You are a helpful assistant.',
  stream: true,
  panelOpen: true,
  compare: false,
  otherGroup: '',
  otherModel: '',
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
    otherGroup: textOf(stored.otherGroup, defaultSettings.otherGroup),
    otherModel: textOf(stored.otherModel, defaultSettings.otherModel),
  }
}

/** The model to talk to: the one asked for, else the usual first choice, else whatever there is. */
export function chooseModel(wanted: string, models: readonly string[]): string {
  if (wanted !== '' && (models.includes(wanted) || models.length === 0)) return wanted
  return models.includes(defaultModel) ? defaultModel : (models[0] ?? '')
}

const defaultModel = 'gpt-4o-mini'

/** The model to compare with: the one asked for, else one that is not the same. */
export function chooseOtherModel(wanted: string, models: readonly string[], first: string): string {
  const others = models.filter((model) => model !== first)
  return chooseModel(wanted, models.includes(wanted) || others.length === 0 ? models : others)
}

/** The columns that respond, each with its group and model. */
export function targetsOf(settings: PlaygroundSettings): readonly Target[] {
  const { group, model, compare, otherGroup, otherModel } = settings
  const first = { column: 0, group, model } as const
  return compare ? [first, { column: 1, group: otherGroup, model: otherModel }] : [first]
}

export interface Target {
  readonly column: Column
  readonly group: string
  readonly model: string
}

/** Returns the parameters of a column's request. */
export function turnOf(settings: PlaygroundSettings, { column, group, model }: Target): Turn {
  const { temperature, maxTokens, stream, system } = settings
  return { column, system, settings: { group, model, temperature, maxTokens, stream } }
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
