import { type ToolCalls, type ToolKind, toolCallsOf, toolKindOf } from '../canonical/charged-tools.ts'
import { isObject } from '../json/value.ts'

/** Number of runs of tools that have no kind here, and so no price, by the vendor's own names. */
export type OtherTools = Readonly<Record<string, number>>

/** Tools that a vendor ran for a call: tools by kind, and those that only the operator can tell the price of. */
export interface ToolRuns {
  readonly toolCalls?: ToolCalls | undefined
  readonly otherTools?: OtherTools | undefined
}

/**
 * Names that counts and items have for tools beside the names of `toolKinds`; `free` for those of which vendors charge
 * nothing but tokens.
 * https://docs.x.ai/developers/pricing, https://docs.x.ai/developers/tools/tool-usage-details (2026-11-28)
 * https://platform.claude.com/docs/en/about-claude/pricing (2026-11-28)
 * https://console.groq.com/docs/compound (2026-11-28)
 */
const names: Readonly<Record<string, ToolKind | 'free'>> = {
  document_search: 'attachment_search',
  collections_search: 'file_search',
  search: 'web_search',
  python: 'code_execution',
  mcp: 'free',
  view_image: 'free',
  view_x_video: 'free',
  web_fetch: 'free',
  tool_search: 'free',
  tool_search_tool_regex: 'free',
  tool_search_tool_bm25: 'free',
}

const affixes = /^server_side_tool_|_(?:calls?|requests?)$/g

/** The kind of a tool by the name of its count or its item; `undefined` for a tool that is not known. */
export function runKindOf(name: string): ToolKind | 'free' | undefined {
  const bare = name.toLowerCase().replace(affixes, '')
  return (Object.hasOwn(names, bare) ? names[bare] : undefined) ?? toolKindOf(bare)
}

/** Adds up runs as they are found. */
export class RunCounter {
  readonly #calls: Partial<Record<ToolKind, number>> = {}
  readonly #others = new Map<string, number>()
  /** Runs of any kind, those that cost nothing among them. */
  count = 0

  add(kind: ToolKind | 'free' | undefined, name: string, times = 1): void {
    this.count += times
    if (kind === undefined) this.#addOther(name, times)
    else if (kind !== 'free') this.#calls[kind] = (this.#calls[kind] ?? 0) + times
  }

  /** Adds the positive counts of an object, by their names. */
  addCounts(counts: unknown): void {
    if (!isObject(counts)) return
    for (const [name, value] of Object.entries(counts)) {
      const times = timesOf(value)
      if (times > 0) this.add(runKindOf(name), name, times)
    }
  }

  read(): ToolRuns {
    return { toolCalls: toolCallsOf(this.#calls), otherTools: otherToolsOf(this.#others) }
  }

  #addOther(name: string, times: number): void {
    if (!visibleName.test(name) || (this.#others.size >= maxNames && !this.#others.has(name))) return
    this.#others.set(name, Math.min((this.#others.get(name) ?? 0) + times, maxRuns))
  }
}

/** The upstream chooses names and counts, and the operator's log shows them. */
const visibleName = /^[\w.-]{1,64}$/
const maxNames = 16
const maxRuns = 1000

/** Reads a number of runs; some vendors put it into an object. */
function timesOf(value: unknown): number {
  const count = isObject(value) ? value.count : value
  return typeof count === 'number' && Number.isInteger(count) && count > 0 ? Math.min(count, maxRuns) : 0
}

function otherToolsOf(counts: ReadonlyMap<string, number>): OtherTools | undefined {
  return counts.size === 0 ? undefined : Object.fromEntries(counts)
}

/** Runs of both. */
export function addOtherTools(a: OtherTools | undefined, b: OtherTools | undefined): OtherTools | undefined {
  if (a === undefined || b === undefined) return a ?? b
  const sum = new Map(Object.entries(a))
  for (const [name, count] of Object.entries(b)) sum.set(name, (sum.get(name) ?? 0) + count)
  return Object.fromEntries(sum)
}
