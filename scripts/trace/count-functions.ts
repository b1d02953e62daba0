import { readFileSync, writeFileSync } from 'node:fs'
import { plugin } from 'bun'
import { parseSync } from 'oxc-parser'

/**
 * A preload of the server that counts the functions it enters, as `file:line`, in the order of their first entry. SIGUSR2 writes the
 * counts as JSON to TRACE_FILE and starts anew. Worker threads are not counted: no call waits for one.
 */
const { TRACE_FILE = '', TRACE_ROOT = '' } = process.env
const counts = new Map<string, number>()
const entered = (position: string) => void counts.set(position, (counts.get(position) ?? 0) + 1)
Object.assign(globalThis, { tollgateEntered: entered })

process.on('SIGUSR2', () => {
  writeFileSync(TRACE_FILE, JSON.stringify(Object.fromEntries(counts)))
  counts.clear()
})

plugin({
  name: 'count-functions',
  setup(build) {
    build.onLoad({ filter: /\/(apps\/server|packages)\/(.*\/)?src\/.*\.ts$/ }, ({ path }) => ({
      contents: counted(path, withoutMacros(readFileSync(path, 'utf8'))),
      loader: 'ts',
    }))
  },
})

/** A source that a plugin loads has no macros: what the build would run runs when the server starts. */
function withoutMacros(source: string): string {
  return source.replaceAll(" with { type: 'macro' }", '')
}

interface Node {
  readonly type?: string
  readonly start: number
  readonly end: number
  readonly body?: Node | null
}

/** The source with a count at the start of each function body. */
function counted(path: string, source: string): string {
  const file = path.slice(TRACE_ROOT.length)
  const inserts: (readonly [position: number, code: string])[] = []
  for (const { type, start, end } of functionBodies(parseSync(path, source).program)) {
    const count = `globalThis.tollgateEntered?.(${JSON.stringify(`${file}:${lineOf(source, start)}`)})`
    const isBlock = type === 'BlockStatement' || type === 'FunctionBody'
    if (isBlock) inserts.push([start + 1, `${count};`])
    else inserts.push([start, `(${count},`], [end, ')'])
  }
  let text = source
  for (const [position, code] of inserts.toSorted(([a], [b]) => b - a))
    text = text.slice(0, position) + code + text.slice(position)
  return text
}

function lineOf(source: string, offset: number): number {
  return source.slice(0, offset).split('\n').length
}

const functions = /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/

function* functionBodies(node: unknown): Generator<Node> {
  if (typeof node !== 'object' || node === null) return
  const { type = '', body } = node as Node // A node of the parser, or a list of them.
  if (functions.test(type) && body) yield body
  for (const child of Object.values(node)) yield* functionBodies(child)
}
