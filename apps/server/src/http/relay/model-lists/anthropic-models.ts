import { listedSince } from './listed-since.ts'
import { invalidParameter, pageSize } from './paging.ts'

const sizes = { usual: 20, max: 1000 } as const
const createdAt = new Date(listedSince * 1000).toISOString().replace('.000Z', 'Z')

/** https://platform.claude.com/docs/en/api/models/retrieve */
export function anthropicModel(id: string) {
  return { type: 'model', id, display_name: id, created_at: createdAt }
}

/**
 * One page: `limit` models from the start, behind `after_id` or before `before_id`.
 * https://platform.claude.com/docs/en/api/models/list
 */
export function anthropicList(models: readonly string[], query: URLSearchParams) {
  const limit = pageSize(query, 'limit', sizes)
  const after = query.get('after_id') ?? ''
  const before = query.get('before_id') ?? ''
  if (after !== '' && before !== '') throw invalidParameter('before_id', 'send it or after_id, not both')
  const page = before === '' ? pageAfter(models, after, limit) : pageBefore(models, before, limit)
  return {
    data: page.models.map(anthropicModel),
    has_more: page.hasMore,
    first_id: page.models[0] ?? null,
    last_id: page.models.at(-1) ?? null,
  }
}

interface Page {
  readonly models: readonly string[]
  readonly hasMore: boolean
}

function pageAfter(models: readonly string[], after: string, limit: number): Page {
  const start = after === '' ? 0 : placeOf(models, after, 'after_id') + 1
  return { models: models.slice(start, start + limit), hasMore: start + limit < models.length }
}

function pageBefore(models: readonly string[], before: string, limit: number): Page {
  const end = placeOf(models, before, 'before_id')
  const start = Math.max(0, end - limit)
  return { models: models.slice(start, end), hasMore: start > 0 }
}

function placeOf(models: readonly string[], id: string, name: string): number {
  const place = models.indexOf(id)
  if (place >= 0) return place
  throw invalidParameter(name, 'there is no such model in the list')
}
