import type { OpenApiDocument, OpenApiOperation, OpenApiTag } from '@tollgate/api/openapi'

/** One call as the page shows it. */
export interface DocumentedCall {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly operation: OpenApiOperation
}

export interface CallGroup {
  readonly tag: string
  readonly heading: OpenApiTag['x-heading']
  readonly calls: readonly DocumentedCall[]
}

/** Calls by the document's tags, in its order. */
export function groupsOf({ tags, paths }: OpenApiDocument): readonly CallGroup[] {
  const calls = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(
      ([method, operation]): DocumentedCall => ({
        id: operation.operationId,
        method: method.toUpperCase(),
        path,
        operation,
      }),
    ),
  )
  return tags

    .map(({ name, 'x-heading': heading }) => ({
      tag: name,
      heading,
      calls: calls.filter(({ operation }) => operation.tags.includes(name)),
    }))
    .filter((group) => group.calls.length > 0)
}

interface CallFilter {
  readonly words?: string | undefined
  readonly who?: string | undefined
}

/** Groups with the calls that have every word, and are for whom was asked. */
export function matching(
  groups: readonly CallGroup[],
  { words = '', who }: CallFilter,
): readonly CallGroup[] {
  const wanted = words.toLowerCase().split(/\s+/)
  const matches = ({ id, method, path, operation }: DocumentedCall) => {
    const text = `${method} ${path} ${id} ${operation.summary} ${operation['x-summary-zh']}`.toLowerCase()
    return (who === undefined || operation['x-access'] === who) && wanted.every((word) => text.includes(word))
  }
  return groups
    .map((group) => ({ ...group, calls: group.calls.filter(matches) }))
    .filter((group) => group.calls.length > 0)
}
