/**
 * A JSON object of text to text (`model_mapping`, `status_code_mapping`) as a person edits it: rows of a small table,
 * or the JSON itself. What is typed stays as typed until it is saved.
 */
export type MappingDraft =
  | { readonly view: 'rows'; readonly rows: readonly MappingRow[] }
  | { readonly view: 'json'; readonly text: string }

export interface MappingRow {
  /** Place in the table, so that a row keeps its focus while others come and go. */
  readonly id: number
  readonly from: string
  readonly to: string
}

/** Problems of any mapping; the two kinds add one each. */
export type MappingProblem = 'notJson' | 'notText' | 'incomplete' | 'duplicate'

/** Draft of a stored text: rows when it can be rows, the text itself when not. */
export function mappingDraftOf(text: string): MappingDraft {
  const entries = entriesOf(text)
  if (typeof entries === 'string') return { view: 'json', text }
  return { view: 'rows', rows: entries.map(([from, to], id) => ({ id, from, to })) }
}

/** Text to be stored: empty for an empty table; pairs in the order of the rows. */
export function mappingText(draft: MappingDraft): string {
  if (draft.view === 'json') return draft.text.trim()
  const rows = filledRows(draft.rows)
  return rows.length === 0
    ? ''
    : JSON.stringify(Object.fromEntries(rows.map(({ from, to }) => [from, to])), null, 2)
}

/** The same mapping in the other view; `undefined` when the JSON cannot be shown as rows. */
export function switchView(draft: MappingDraft): MappingDraft | undefined {
  if (draft.view === 'rows') return { view: 'json', text: mappingText(draft) }
  const other = mappingDraftOf(draft.text)
  return other.view === 'rows' ? other : undefined
}

export function withRow(rows: readonly MappingRow[], from = '', to = ''): readonly MappingRow[] {
  return [...rows, { id: Math.max(-1, ...rows.map((row) => row.id)) + 1, from, to }]
}

/**
 * Returns the problem that keeps a model mapping from being saved. Chains are allowed, a circle is not; a model may map to itself.
 */
export function modelMappingProblem(draft: MappingDraft): MappingProblem | 'cycle' | undefined {
  const entries = checkedEntries(draft)
  if (typeof entries === 'string') return entries
  const steps = new Map(entries)
  return [...steps.keys()].some((model) => isCircle(steps, model)) ? 'cycle' : undefined
}

/** Returns the problem that keeps a status mapping from being saved: it maps three-digit codes to error codes. */
export function statusMappingProblem(draft: MappingDraft): MappingProblem | 'notStatus' | undefined {
  const entries = checkedEntries(draft)
  if (typeof entries === 'string') return entries
  return entries.every(([from, to]) => /^[1-9]\d\d$/.test(from) && /^[45]\d\d$/.test(to))
    ? undefined
    : 'notStatus'
}

/** Names on the left, for hints about models that the channel does not serve. */
export function mappedNames(draft: MappingDraft): readonly string[] {
  const entries = checkedEntries(draft)
  return typeof entries === 'string' ? [] : entries.map(([from]) => from)
}

/** Names that the upstream gets and that are in no list of its models: a misspelt one, or one that no list has yet. */
export function unlistedTargets(
  draft: MappingDraft,
  lists: readonly (readonly string[])[],
): readonly string[] {
  const entries = checkedEntries(draft)
  const listed = new Set(lists.flat())
  if (typeof entries === 'string' || listed.size === 0) return []
  const mapped = new Set(entries.map(([from]) => from))
  const targets = entries.map(([, to]) => to).filter((to) => !(listed.has(to) || mapped.has(to)))
  return [...new Set(targets)]
}

/** The mapping as pairs; empty while it cannot be saved. */
export function mappingOf(draft: MappingDraft): ReadonlyMap<string, string> {
  const entries = checkedEntries(draft)
  return new Map(typeof entries === 'string' ? [] : entries)
}

type Entries = readonly (readonly [from: string, to: string])[]

function checkedEntries(draft: MappingDraft): Entries | MappingProblem {
  if (draft.view === 'json') return entriesOf(draft.text)
  const rows = filledRows(draft.rows)
  if (rows.some(({ from, to }) => from === '' || to === '')) return 'incomplete'
  if (new Set(rows.map(({ from }) => from)).size < rows.length) return 'duplicate'
  return rows.map(({ from, to }) => [from, to] as const)
}

function entriesOf(text: string): Entries | 'notJson' | 'notText' {
  if (text.trim() === '') return []
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return 'notJson'
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'notText'
  const entries = Object.entries(value).map(
    ([from, to]) => [from.trim(), typeof to === 'string' ? to.trim() : ''] as const,
  )
  return entries.every(([from, to]) => from !== '' && to !== '') ? entries : 'notText'
}

/** Trimmed, without empty rows. */
function filledRows(rows: readonly MappingRow[]): readonly MappingRow[] {
  return rows
    .map(({ id, from, to }) => ({ id, from: from.trim(), to: to.trim() }))
    .filter(({ from, to }) => from !== '' || to !== '')
}

function isCircle(steps: ReadonlyMap<string, string>, model: string): boolean {
  const seen = new Set<string>()
  let current = model
  for (;;) {
    const next = steps.get(current)
    if (next === undefined || next === current) return false
    if (seen.has(next)) return true
    seen.add(next)
    current = next
  }
}
