import { camelCase } from '../json/camel-case.ts'
import { isObject, type JsonObject, listOf, objectOf, textOf } from '../json/value.ts'
import {
  type CostlyField,
  type FieldRow,
  type FieldRows,
  fieldRows,
  isHarmless,
  noCostlyFields,
} from './costly-field.ts'
import {
  anthropicTools,
  chosenTools,
  type FoundTool,
  geminiTools,
  openAiTools,
  type ToolList,
} from './hosted-tools.ts'

type Path = FoundTool['path']
type Headers = Readonly<Record<string, string>>

/**
 * The fields of a caller's request that change what the vendor charges, or concern its privacy. Looks at the names of the
 * body's members and at the types of its tools, and at nothing else; never throws.
 * @param headers the caller's fields that an upstream of the same format is to get, by names in lower case
 */
export function costlyFields(format: string, body: JsonObject, headers: Headers): readonly CostlyField[] {
  switch (format) {
    case 'openai-responses':
    case 'openai-compaction':
      return combined(
        inRows(body, fieldRows['openai-responses'], []),
        inOptions(body, []),
        inCacheOptions(body, []),
        responsesTools(body),
      )
    case 'anthropic-messages': {
      const rows = inRows(body, fieldRows[format], [])
      return combined(rows, anthropicToolFields(body), longContext(body, headers))
    }
    case 'gemini':
      return combined(inRows(body, fieldRows[format], [], camelCase), geminiToolFields(body, []))
    default:
      return openAiFields(body, [])
  }
}

/** Nearly every call has none, and shares the list of those. */
function combined(...found: readonly (readonly CostlyField[])[]): readonly CostlyField[] {
  return found.every(({ length }) => length === 0) ? noCostlyFields : found.flat()
}

/** Finds fields in bodies of Chat Completions, and of the modes that share its words. */
function openAiFields(body: JsonObject, path: Path): readonly CostlyField[] {
  return combined(
    inRows(body, fieldRows['openai-chat'], path),
    inOptions(body, path),
    inCacheOptions(body, path),
    chatTools(body, path),
    inExtraBody(body, path),
  )
}

function inRows(
  body: JsonObject,
  rows: FieldRows,
  path: Path,
  nameOf: (key: string) => string = (key) => key,
): readonly CostlyField[] {
  let found: CostlyField[] | undefined
  for (const key of Object.keys(body)) {
    const row = rows.get(nameOf(key))
    if (row === undefined || isHarmless(body[key], row)) continue
    found ??= []
    found.push(fieldOf([...path, key], row, body[key]))
  }
  return found ?? noCostlyFields
}

function fieldOf(path: Path, { feature, tool, isTranslated }: FieldRow, value: unknown): CostlyField {
  return {
    feature,
    value: tool ?? textOf(value),
    param: paramOf(path),
    position: { path },
    reaches: isTranslated ? 'every' : 'own',
    isOptional: false,
  }
}

const obfuscation = 'include_obfuscation'

function inOptions({ stream_options: options }: JsonObject, path: Path): readonly CostlyField[] {
  if (!isObject(options) || options[obfuscation] === undefined) return noCostlyFields
  return [fieldOf([...path, 'stream_options', obfuscation], { feature: 'stream-obfuscation' }, '')]
}

/** Time for which OpenAI caches a prompt by default. */
const defaultCacheTime = '30m'

/** A write that is kept for twelve hours costs twice as much. https://developers.openai.com/api/docs/models/gpt-6.2-sol */
function inCacheOptions({ prompt_cache_options: options }: JsonObject, path: Path): readonly CostlyField[] {
  const { ttl } = objectOf(options)
  if (ttl === undefined || ttl === null || ttl === defaultCacheTime) return noCostlyFields
  return [fieldOf([...path, 'prompt_cache_options', 'ttl'], { feature: 'long-cache' }, ttl)]
}

/** SDKs spread `extra_body` over the body; some upstreams read it as it is. */
function inExtraBody({ extra_body: extra }: JsonObject, path: Path): readonly CostlyField[] {
  if (!isObject(extra)) return noCostlyFields
  const at = [...path, 'extra_body']
  const google = objectOf(extra.google)
  const inGoogle = [...at, 'google']
  return combined(
    openAiFields(extra, at),
    inRows(google, fieldRows.gemini, inGoogle, camelCase),
    geminiToolFields(google, inGoogle),
  )
}

function chatTools(body: JsonObject, path: Path): readonly CostlyField[] {
  const { tools, functions, tool_choice: choice } = body
  if (tools === undefined && functions === undefined) return noCostlyFields
  const both = merged([
    openAiTools(tools, [...path, 'tools']),
    openAiTools(functions, [...path, 'functions']),
  ])
  return toolFields(both, choice)
}

/** Reads tools from their list and from input items, where agents add them during the conversation. */
function responsesTools({ tools, input, tool_choice: choice }: JsonObject): readonly CostlyField[] {
  const lists = tools === undefined ? [] : [openAiTools(tools, ['tools'])]
  listOf(input).forEach((item, index) => {
    const added = objectOf(item)
    if (added.type === 'additional_tools') lists.push(openAiTools(added.tools, ['input', index, 'tools']))
  })
  return lists.length === 0 ? noCostlyFields : toolFields(merged(lists), choice)
}

/** The fields of a list of tools in one of OpenAI's formats. */
export function toolFieldsIn(tools: unknown, path: Path, choice: unknown): readonly CostlyField[] {
  return toolFields(openAiTools(tools, path), choice)
}

function anthropicToolFields({ tools, tool_choice: choice }: JsonObject): readonly CostlyField[] {
  return tools === undefined ? noCostlyFields : toolFields(anthropicTools(tools, ['tools']), choice)
}

function geminiToolFields({ tools }: JsonObject, path: Path): readonly CostlyField[] {
  return tools === undefined ? noCostlyFields : toolFields(geminiTools(tools, [...path, 'tools']), undefined)
}

function merged(lists: readonly ToolList[]): ToolList {
  return {
    hosted: lists.flatMap(({ hosted }) => hosted),
    disguised: lists.flatMap(({ disguised }) => disguised),
    hasOwn: lists.some(({ hasOwn }) => hasOwn),
  }
}

function toolFields({ hosted, disguised, hasOwn }: ToolList, choice: unknown): readonly CostlyField[] {
  if (hosted.length === 0 && disguised.length === 0) return noCostlyFields
  const chosen = chosenTools(choice)
  const isOptional = ({ names }: FoundTool) => hasOwn && !names.some((name) => chosen.has(name))
  return [
    ...hosted.map((tool) => toolField(tool, 'own', isOptional(tool))),
    ...disguised.map((tool) => toolField(tool, 'gemini', false)),
  ]
}

function toolField(
  { kind, path }: FoundTool,
  reaches: CostlyField['reaches'],
  isOptional: boolean,
): CostlyField {
  return {
    feature: 'hosted-tool',
    value: kind,
    param: paramOf(path),
    position: { path },
    reaches,
    isOptional,
  }
}

const betaField = 'anthropic-beta'
const longContextBeta = /^context-1m-/

/** Bedrock takes betas in the body. The vendor itself refuses long prompts of those who do not ask for them. */
function longContext({ anthropic_beta: own }: JsonObject, headers: Headers): readonly CostlyField[] {
  const betas = headers[betaField]
  if (betas === undefined && own === undefined) return noCostlyFields
  const feature = { feature: 'long-context', param: betaField, reaches: 'own', isOptional: true } as const
  const inHeader = (betas ?? '').split(',').map((item) => item.trim())
  return [
    ...inHeader.flatMap((item) =>
      longContextBeta.test(item) ? [{ ...feature, value: item, position: { header: betaField, item } }] : [],
    ),
    ...listOf(own).flatMap((item, index) =>
      longContextBeta.test(textOf(item))
        ? [{ ...feature, value: textOf(item), position: { path: ['anthropic_beta', index] } }]
        : [],
    ),
  ]
}

/** `tools[2]`, `input[0].tools[1]`, `stream_options.include_obfuscation`. */
function paramOf(path: Path): string {
  return path.reduce<string>(
    (param, step) =>
      typeof step === 'number' ? `${param}[${step}]` : param === '' ? step : `${param}.${step}`,
    '',
  )
}
