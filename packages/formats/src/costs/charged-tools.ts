/** Tools that vendors run and charge by use. One word for each, whatever a dialect calls it. */
export const toolKinds = [
  'web_search',
  /** OpenAI's older search, at a price of its own. */
  'web_search_preview',
  'file_search',
  /** By the container, which costs more with more memory. */
  'code_interpreter',
  'code_interpreter_4g',
  'code_interpreter_16g',
  'code_interpreter_64g',
  'code_execution',
  'image_generation',
  /** By the query; before Gemini 3 by the prompt. */
  'google_search',
  'google_maps',
  'x_search',
  /** By the source. */
  'live_search',
  /** xAI's search in files that stand in the messages: no tool asks for it. */
  'attachment_search',
] as const
export type ToolKind = (typeof toolKinds)[number]

/** How often each tool ran. */
export type ToolCalls = { readonly [Kind in ToolKind]?: number }

const names: Readonly<Record<string, ToolKind>> = {
  googleSearch: 'google_search',
  googleSearchRetrieval: 'google_search',
  googleMaps: 'google_maps',
  fileSearch: 'file_search',
  collections_search: 'file_search',
}

const known: ReadonlySet<string> = new Set(toolKinds)

/** The kind of a tool as a request names it, with or without its release; `undefined` for one that has no price anywhere. */
export function toolKindOf(name: string): ToolKind | undefined {
  if (Object.hasOwn(names, name)) return names[name]
  const kind = name.replace(/(_\d{8}|_\d{4}_\d\d_\d\d)$/, '')
  return known.has(kind) ? (kind as ToolKind) : undefined
}

/** No upstream is believed to have run one tool more often for one call. */
const mostCalls = 1000

/** Counts as an upstream sent them: what is no count is left out, and what is absurd is cut. `undefined` without any. */
export function toolCallsOf(counts: Readonly<Partial<Record<ToolKind, unknown>>>): ToolCalls | undefined {
  const calls: Partial<Record<ToolKind, number>> = {}
  for (const kind of toolKinds) {
    const count = counts[kind]
    if (typeof count === 'number' && Number.isInteger(count) && count > 0)
      calls[kind] = Math.min(count, mostCalls)
  }
  return Object.keys(calls).length === 0 ? undefined : calls
}

/** Calls of both; of one call whose parts are counted apart. */
export function addToolCalls(a: ToolCalls | undefined, b: ToolCalls | undefined): ToolCalls | undefined {
  if (a === undefined || b === undefined) return a ?? b
  return toolCallsOf(Object.fromEntries(toolKinds.map((kind) => [kind, (a[kind] ?? 0) + (b[kind] ?? 0)])))
}
