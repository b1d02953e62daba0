import type { Query } from '../provider.ts'
import { field } from './balance.ts'

/** Names in a list of models, bare or in a member, without blanks and repeats; a body of another shape holds none. */
export function namesIn(body: unknown, list: string, name: string): readonly string[] {
  const items = Array.isArray(body) ? body : field(body, list)
  if (!Array.isArray(items)) return []
  const names = items
    .map((item) => field(item, name))
    .filter((value) => typeof value === 'string' && value !== '')
  return [...new Set(names as string[])] // The filter above leaves texts only.
}

type Next = NonNullable<Query<unknown>['next']>

/** Anthropic's lists: the last id of a page is where the next one begins. https://platform.claude.com/docs/en/api/models-list */
export const nextByLastId: Next = (body, requested) => {
  const last = field(body, 'last_id')
  return field(body, 'has_more') === true && typeof last === 'string'
    ? { ...requested, url: withParameter(requested.url, 'after_id', last) }
    : undefined
}

/** Google's: a token leads to the next page. https://ai.google.dev/api/models#method:-models.list */
export const nextByToken: Next = (body, requested) => {
  const token = field(body, 'nextPageToken')
  return typeof token === 'string' && token !== ''
    ? { ...requested, url: withParameter(requested.url, 'pageToken', token) }
    : undefined
}

/** Cloudflare's: pages are counted. https://developers.cloudflare.com/api/resources/ai/subresources/models/methods/list/ */
export const nextByNumber: Next = (body, requested) => {
  const [page, perPage, total] = ['page', 'per_page', 'total_count'].map((name) =>
    Number(field(body, 'result_info', name)),
  )
  if (page === undefined || perPage === undefined || total === undefined || !(page * perPage < total))
    return undefined
  return { ...requested, url: withParameter(requested.url, 'page', String(page + 1)) }
}

/** The address with one parameter of its query set anew. */
function withParameter(url: string, name: string, value: string): string {
  const [path = '', query = ''] = url.split('?', 2)
  const others = query.split('&').filter((each) => each !== '' && !each.startsWith(`${name}=`))
  return `${path}?${[...others, `${name}=${encodeURIComponent(value)}`].join('&')}`
}
