import type {
  BudgetRange,
  FieldRules,
  HistoryRules,
  Limits,
  ModelFamily,
  NameLimit,
  ProfileEntry,
  ReasoningRules,
  SamplingRules,
  TargetProfile,
} from '../../packages/providers/src/profile/target-profile.ts'

type ColumnName = keyof TargetProfile

const titles: Readonly<Record<ColumnName, string>> = {
  fields: 'Fields',
  responses: 'Fields of Responses',
  reasoning: 'Reasoning',
  sampling: 'Sampling',
  history: 'Reasoning in history',
  limits: 'Limits',
  schema: 'JSON Schema',
  betas: "Claude's betas",
  ids: 'Names of models',
}
const columnNames = Object.keys(titles) as readonly ColumnName[] // Its keys are the columns.

/** The profile of a provider as a section of its page: each column with its source and the day on which it was read. */
export function profileSection(entry: ProfileEntry): string {
  const own =
    'chat' in entry ? [] : columnNames.map((name) => row('all', titles[name], entry[name], describers[name]))
  const families = 'chat' in entry ? [] : (entry.families ?? []).flatMap(familyRows)
  const modes = Object.entries(entry.modes ?? {}).map(([mode, rules]) =>
    row('all', `Fields of ${mode}`, rules, fieldsText),
  )
  const rows = [...own, ...families, ...modes]
  if (rows.length === 0) return ''
  const head = ['| Models | What | What it accepts | Source |', '|---|---|---|---|']
  return ['## What it accepts', [...head, ...rows].join('\n')].join('\n\n')
}

function familyRows(family: ModelFamily): readonly string[] {
  const { models, except = [] } = family
  const named = codes(models) + (except.length === 0 ? '' : `; not ${codes(except)}`)
  return columnNames.flatMap((name) => {
    const column = family[name]
    return column === undefined ? [] : [row(named, titles[name], column, describers[name])]
  })
}

type Describe = (value: never) => string
type AnyColumn = string | { readonly value: unknown; readonly source: string; readonly date: string }

function row(models: string, title: string, column: AnyColumn, describe: Describe): string {
  if (typeof column === 'string') return `| ${models} | ${title} | ${column} | |`
  const value = describe(column.value as never) // The describer is the one of the column.
  return `| ${models} | ${title} | ${escaped(value)} | [${column.date}](${column.source}) |`
}

const describers: Readonly<Record<ColumnName, Describe>> = {
  fields: fieldsText,
  responses: fieldsText,
  reasoning: reasoningText,
  sampling: samplingText,
  history: historyText,
  limits: limitsText,
  schema: String,
  betas: String,
  ids: String,
}

function fieldsText(rules: FieldRules): string {
  const {
    takes,
    drops = [],
    refuses = {},
    names = {},
    ranges = {},
    values = {},
    lists = [],
    messages,
  } = rules
  const texts = [
    takes === 'any'
      ? 'takes any'
      : `takes ${codes(takes)} ${rules.passesUnheardOf === true ? 'of the known ones' : 'alone'}`,
    ...(drops.length === 0 ? [] : [`leaves out ${codes(drops)}`]),
    ...Object.entries(refuses).map(([name, why]) => `refuses \`${name}\` (${why})`),
    ...Object.entries(names).map(([from, to]) => `\`${from}\` becomes \`${to}\``),
    ...Object.entries(ranges).map(([name, [min, max]]) => `\`${name}\` from ${min} to ${max}`),
    ...Object.entries(values).flatMap(([name, changed]) => Object.entries(changed).map(valueText(name))),
    ...(lists.length === 0 ? [] : [`${codes(lists)} as a list`]),
    ...messageTexts(messages),
  ]
  return texts.join('; ')
}

function valueText(name: string) {
  return ([from, to]: readonly [string, unknown]) =>
    to === null
      ? `\`${name}: ${from}\` is left out`
      : `\`${name}: ${from}\` becomes \`${JSON.stringify(to)}\``
}

function messageTexts({
  takes,
  drops = [],
  roles = {},
  media,
  silent,
  turns,
}: NonNullable<FieldRules['messages']> = {}): readonly string[] {
  return [
    ...Object.entries(takes ?? {}).map(
      ([role, members]) => `members of messages (${role}): ${codes(members)}`,
    ),
    ...(drops.length === 0 ? [] : [`members of messages left out: ${codes(drops)}`]),
    ...Object.entries(roles).map(([from, to]) => `role \`${from}\` becomes \`${to}\``),
    ...(media === undefined ? [] : ['images, sounds and files of other messages move into one of the user']),
    ...(silent === undefined ? [] : ['messages of the model that say nothing are left out']),
    ...(turns === undefined ? [] : ['neighbouring messages of one side become one']),
  ]
}

const switches: Readonly<Record<ReasoningRules['switch'], string>> = {
  effort: 'by `reasoning_effort`',
  budget: 'by a number of tokens',
  'thinking-type': 'by `thinking.type`',
  'enable-thinking': 'by `enable_thinking`',
  'template-enable-thinking': 'by `chat_template_kwargs.enable_thinking`',
  'template-thinking': 'by `chat_template_kwargs.thinking`',
  'reasoning-object': 'by `reasoning`',
  'disable-reasoning': 'by `disable_reasoning`',
  'prompt-mode': 'by `prompt_mode`',
  always: 'always on',
  never: 'none',
}

function reasoningText(rules: ReasoningRules): string {
  const { switch: by, efforts, unasked, budget, types = [], offUpTo, budgets } = rules
  return [
    switches[by],
    ...(efforts.length === 0 ? [] : [`efforts ${codes(efforts)}`]),
    ...(by === 'always' || by === 'never' ? [] : [unasked === 'thinks' ? 'on unasked' : 'off unasked']),
    ...(budget === undefined ? [] : [`budget in \`${budget}\``]),
    ...(types.length === 0 ? [] : [`\`thinking.type\` of ${codes(types)} in Anthropic's format`]),
    ...(offUpTo === undefined ? [] : [`off up to an effort of \`${offUpTo}\``]),
    ...(budgets === undefined ? [] : [budgetText(budgets)]),
  ].join('; ')
}

function budgetText({ min, max, canBeOff }: BudgetRange): string {
  return `budgets from ${min} to ${max}${canBeOff ? ', or 0' : ''}`
}

function samplingText({ refuses, when, accepts = {}, notBoth }: SamplingRules): string {
  if (refuses.length === 0) return 'taken'
  const retained = Object.entries(accepts).map(([name, value]) => acceptedText(name, value))
  const rest = retained.length === 0 ? '' : `, other than ${retained.join(', ')}`
  const both = notBoth === undefined ? '' : `; \`${notBoth[1]}\` beside \`${notBoth[0]}\``
  return `leaves out ${codes(refuses)}${when === 'reasoning' ? ' while it reasons' : ''}${rest}${both}`
}

function acceptedText(name: string, value: number | readonly [min: number, max: number]): string {
  return typeof value === 'number' ? `\`${name}: ${value}\`` : `\`${name}\` from ${value[0]} to ${value[1]}`
}

function historyText({
  reasoning,
  field,
  turns,
  empty,
  exceptCalls,
  refusesOtherNames,
}: HistoryRules): string {
  return [
    `${reasoning}, in \`${field}\``,
    ...(turns === undefined ? [] : [turns === 'all' ? 'in all turns' : 'in turns with calls']),
    ...(empty === undefined ? [] : [`\`${JSON.stringify(empty)}\` where there is none`]),
    ...(exceptCalls === undefined ? [] : ['turns with calls keep it']),
    ...(refusesOtherNames === undefined ? [] : ['other names of it are refused']),
  ].join('; ')
}

function limitsText({ toolName, callId, texts = {}, tools, stops }: Limits): string {
  return [
    ...(toolName === undefined ? [] : [`names of tools ${nameText(toolName)}`]),
    ...(callId === undefined ? [] : [`ids of calls ${nameText(callId)}`]),
    ...Object.entries(texts).map(
      ([name, { min, max }]) => `\`${name}\` ${min === undefined ? 'up to' : `${min} to`} ${max}`,
    ),
    ...(tools === undefined ? [] : [`${tools} tools`]),
    ...(stops === undefined ? [] : [`${stops} stop sequences`]),
  ].join('; ')
}

const characterTexts: Readonly<Record<NameLimit['characters'], string>> = {
  word: 'letters, digits, `_`, `-`',
  gemini: 'letters, digits, `_`, `.`, `:`, `-`',
  alphanumeric: 'letters, digits',
  any: 'any characters',
}

function nameText({ max, exactly, characters }: NameLimit): string {
  return `${exactly === undefined ? `up to ${max}` : `of ${exactly}`} (${characterTexts[characters]})`
}

function codes(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ')
}

/** A bar would end the cell. */
function escaped(text: string): string {
  return text.replaceAll('|', '\\|')
}
