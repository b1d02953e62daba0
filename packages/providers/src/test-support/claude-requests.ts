import type { JsonObject, JsonPath } from '@tollgate/formats'

/** A request that holds a part of the API at one of its places, and the path to it. */
export type Placed = readonly [request: JsonObject, path: JsonPath]

const first = ['messages', 1, 'content', 0]
const nested = [...first, 'content', 0]

function asking(content: unknown, more: object = {}): JsonObject {
  const messages = [
    { role: 'user', content: 'first' },
    { role: 'user', content, ...more },
  ]
  return { max_tokens: 9, messages }
}

const text = (more: object) => ({ type: 'text', text: 'hi', ...more })
const holding = (content: readonly unknown[], more: object = {}) => ({
  type: 'tool_result',
  tool_use_id: 't',
  content,
  ...more,
})

/** A block in a message, and in the result of a tool. */
const blocks = (block: object, ...rest: readonly string[]): readonly Placed[] => [
  [asking([block]), [...first, ...rest]],
  [asking([holding([block])]), [...nested, ...rest]],
]

type Positions = (name: string, own: JsonObject) => readonly Placed[]

const memberPositions: Readonly<Record<string, Positions>> = {
  body: (name, own) => [[{ ...asking('x'), ...own }, [name]]],
  message: (name, own) => [[asking('x', own), ['messages', 1, name]]],
  tool: (name, own) => [
    [{ ...asking('x'), tools: [{ name: 'f' }, { name: 'g', ...own }] }, ['tools', 1, name]],
  ],
  block: (name, own) => blocks({ type: 'tool_use', id: 't', name: 'f', input: own, ...own }, name),
  output_config: (name, own) => [[{ ...asking('x'), output_config: own }, ['output_config', name]]],
  thinking: (name, own) => [[{ ...asking('x'), thinking: { type: 'adaptive', ...own } }, ['thinking', name]]],
  cache_control: (name, own) => {
    const mark = { cache_control: { type: 'ephemeral', ...own } }
    return [
      [{ ...asking('x'), system: [text({}), text(mark)] }, ['system', 1, 'cache_control', name]],
      [{ ...asking('x'), tools: [{ name: 'f', ...mark }] }, ['tools', 0, 'cache_control', name]],
      [asking([holding([], mark)]), [...first, 'cache_control', name]],
      ...blocks(text(mark), 'cache_control', name),
    ]
  },
}

const typePositions: Readonly<Record<string, (block: JsonObject) => readonly Placed[]>> = {
  tool: (tool) => [
    [{ ...asking('x'), tools: [{ name: 'f' }, { ...tool, type: `${tool.type}_20990101` }] }, ['tools', 1]],
  ],
  block: (block) => blocks(block),
  source: (source) => blocks({ type: 'document', source: { ...source, file_id: 'f' } }, 'source'),
  edit: (edit) => [
    [
      {
        ...asking('x'),
        context_management: { edits: [{ type: 'other' }, { ...edit, type: `${edit.type}_20990101` }] },
      },
      ['context_management', 'edits', 1],
    ],
  ],
}

/**
 * Requests with a part at each place that the API has for it.
 * @param part `tool.strict` for a member, `block:fallback` for an object of a type
 */
export function requestsWith(part: string, value: unknown): readonly Placed[] {
  const at = part.search(/[.:]/)
  const [holder, name] = [part.slice(0, at), part.slice(at + 1)]
  if (part[at] === '.') return memberPositions[holder]?.(name, { [name]: value }) ?? []
  const [type = '', of] = name.split(':')
  return typePositions[holder]?.({ type, ...(of !== undefined && { name: of }) }) ?? []
}
