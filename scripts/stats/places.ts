import { contractCalls } from '../../packages/api/src/test-support/call-of.ts'
import { writtenFields } from '../../packages/api/src/test-support/written-fields.ts'
import { type Walk, walks } from '../../tests/support/fields/walks.ts'
import type { Figure, Figures } from './figures.ts'

/** The figure of a resource: lines of sources that name the field of it that fewest name, which is what a plain field costs. */
export const resourceFigures: Readonly<Record<string, Figure>> = {
  positions: { name: 'places of its plainest field', roundedBy: 0.1, step: 1, of: () => 0 },
}

/** Begins the names of resources among the modules. */
export const resourcePrefix = 'resource '

/**
 * Returns the places of the plainest field of each resource that calls write. Only names of several words are counted: one word (`name`)
 * stands in code about other things too.
 * @param sources texts of the sources and of the console's texts, no tests
 */
export function fieldCostsByResource(sources: readonly string[]): Readonly<Record<string, Figures>> {
  const lines = sources.flatMap((text) => text.split('\n')).filter((line) => !/^\s*(?:\*|\/[/*])/.test(line))
  return Object.fromEntries(
    Object.entries(walks).flatMap(([resource, walk]) => {
      const counts = fieldsOf(walk).map((field) => positionsOf(field, lines))
      const positions = Math.min(...counts.filter((count) => count > 0))
      return Number.isFinite(positions) ? [[`${resourcePrefix}${resource}`, { positions }]] : []
    }),
  )
}

/** The names of several words that bodies write under the record's own name. */
function fieldsOf({ create, updates }: Walk): readonly string[] {
  const paths = [...(create === undefined ? [] : [create]), ...updates].flatMap((write) => {
    const found = contractCalls.find(({ name }) => name === write.call)
    const written = found?.call.body === undefined ? [] : writtenFields(found.call.body)
    return written
      .map(({ path }) => path)
      .filter((path) => write.only?.includes(path) ?? true)
      .filter((path) => !write.leaves?.includes(path) && (write.as?.[path] ?? path).endsWith(path))
  })
  return [...new Set(paths)].filter((path) => /^[a-z]+(_[a-z]+)+$/.test(path))
}

/** Counts the lines that name a field as the wire or as the code does. */
function positionsOf(field: string, lines: readonly string[]): number {
  const camel = field.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
  const names = new RegExp(`(?<![\\w-])(?:${field}|${camel})(?![\\w-])`)
  return lines.filter((line) => (line.includes(field) || line.includes(camel)) && names.test(line)).length
}
