import { camelCase } from '../json/camel-case.ts'
import { isObject, type JsonObject, listOf, objectOf, textOf } from '../json/value.ts'

/** Types and names by which a choice among tools names one of them; none for `auto` and the like. */
export function chosenTools(choice: unknown): ReadonlySet<string> {
  if (!isObject(choice)) return nothing
  const listed = [...listOf(choice.tools), ...listOf(objectOf(choice.allowed_tools).tools)]
  return new Set([choice, ...listed.map(objectOf)].flatMap(namesOf).filter((name) => name !== ''))
}

/** Returns what a choice may call a tool. */
export function namesOf({ type, name }: JsonObject): readonly string[] {
  return [textOf(type), textOf(name)]
}

const nothing: ReadonlySet<string> = new Set()

/** A tool in a request: by what it is called, and where in the request it stands. */
export interface FoundTool {
  readonly kind: string
  /** Names that a choice among tools may call it. */
  readonly names: readonly string[]
  readonly path: readonly (string | number)[]
}

/** The tools of one list, by who runs them. */
export interface ToolList {
  readonly hosted: readonly FoundTool[]
  /** Functions that the encoder turns into a tool of Gemini's. */
  readonly disguised: readonly FoundTool[]
  /** There are tools that the caller runs. */
  readonly hasOwn: boolean
}

type Path = FoundTool['path']
/** Reads a tool's kind as a format says it: `undefined` for one that its caller runs, or that is charged by its tokens. */
type KindOf = (tool: JsonObject) => string | undefined

/** Tools that OpenAI's callers run themselves, and those of which nothing but tokens is charged. */
const openAiOwn: ReadonlySet<string> = new Set([
  'function',
  'custom',
  'namespace',
  'local_shell',
  'apply_patch',
  'tool_search',
  'mcp',
  'computer',
  'computer_use',
  'computer_use_preview',
])

/** A shell runs at the caller's, or in a container that is charged by its time. */
function openAiKind(tool: JsonObject): string | undefined {
  const { type } = tool
  // Some vendors take their tools without a type, by the name of a member.
  if (type === undefined) return nameOf(tool) === '' ? Object.keys(tool)[0] : undefined
  if (typeof type !== 'string' || openAiOwn.has(type)) return undefined
  // Zhipu and Spark run their tools unless the request forbids it.
  if (objectOf(tool[type]).enable === false) return undefined
  if (type === 'code_interpreter') return containerKind(tool)
  return type === 'shell' && objectOf(tool.environment).type === 'local' ? undefined : type
}

/**
 * Runs of code by the memory of their container, which multiplies its price: `code_interpreter_64g`.
 * https://developers.openai.com/api/docs/guides/tools-code-interpreter
 */
export function containerKind({ container }: JsonObject): string {
  const memory = textOf(objectOf(container).memory_limit)
  return memory === '' || memory === defaultMemory ? 'code_interpreter' : `code_interpreter_${memory}`
}

const defaultMemory = '1g'

const anthropicOwn =
  /^(custom|(bash|text_editor|computer|memory|web_fetch)_\d+|tool_search_tool_\w+|mcp_toolset)$/

function anthropicKind({ type }: JsonObject): string | undefined {
  return typeof type === 'string' && !anthropicOwn.test(type) ? type : undefined
}

const geminiOwn: ReadonlySet<string> = new Set([
  'functionDeclarations',
  'codeExecution',
  'urlContext',
  'computerUse',
  'mcpServers',
])

/** The function that callers of other formats ask for Google's search with. */
const disguisedSearch = 'googleSearch'

/** The tools of a list in one of OpenAI's formats. */
export function openAiTools(tools: unknown, path: Path): ToolList {
  return toolsIn(tools, path, openAiKind)
}

/** The tools of a list in Anthropic's format. */
export function anthropicTools(tools: unknown, path: Path): ToolList {
  return toolsIn(tools, path, anthropicKind)
}

/**
 * Finds Gemini's tools: each entry of the list is an object with a member for each tool, in either spelling; one entry needs no list.
 */
export function geminiTools(tools: unknown, path: Path): ToolList {
  const hosted: FoundTool[] = []
  let hasOwn = false
  const entries = isObject(tools)
    ? [[tools, path] as const]
    : listOf(tools).map((each, at) => [each, [...path, at]] as const)
  for (const [entry, at] of entries)
    for (const [key, value] of Object.entries(objectOf(entry))) {
      const kind = camelCase(key)
      if (value === null) continue
      if (geminiOwn.has(kind)) hasOwn ||= kind === 'functionDeclarations'
      else hosted.push({ kind, names: [], path: [...at, key] })
    }
  return { hosted, disguised: [], hasOwn }
}

function toolsIn(tools: unknown, path: Path, kindOf: KindOf): ToolList {
  const hosted: FoundTool[] = []
  const disguised: FoundTool[] = []
  let hasOwn = false
  listOf(tools).forEach((item, index) => {
    const tool = objectOf(item)
    const at = [...path, index]
    const kind = otherSpelling(tool) ?? kindOf(tool)
    if (kind !== undefined) hosted.push({ kind, names: namesOf(tool), path: at })
    else if (tool.type === 'namespace') {
      const members = toolsIn(tool.tools, [...at, 'tools'], kindOf)
      hosted.push(...members.hosted)
      disguised.push(...members.disguised)
      hasOwn ||= members.hasOwn
    } else {
      if (nameOf(tool) === disguisedSearch) disguised.push({ kind: disguisedSearch, names: [], path: at })
      hasOwn = true
    }
  })
  return { hosted, disguised, hasOwn }
}

/** The type in another case, which readers written in Go take for the type itself. */
function otherSpelling(tool: JsonObject): string | undefined {
  const key = Object.keys(tool).find(
    (name) => name.length === 4 && name !== 'type' && name.toLowerCase() === 'type',
  )
  return key === undefined ? undefined : textOf(tool[key])
}

function nameOf(tool: JsonObject): string {
  return textOf(tool.name) || textOf(objectOf(tool.function).name)
}
