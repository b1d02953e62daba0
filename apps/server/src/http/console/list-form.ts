import type { Call, ZeroBasedList } from '@tollgate/api'
import { z } from 'zod'

type Query = Readonly<Record<string, string>>

/** The form in which a caller asks for a list and reads it. */
interface ListForm {
  /** Query in the names of the call. */
  readonly query: Query
  /** Writes the handler's result in the caller's form. */
  readonly write: (result: unknown, query: unknown) => unknown
}

/**
 * User headers of related gateways. A program that fills several does not know which gateway responds; such programs read the newer
 * form of lists. https://github.com/qixing-jk/all-api-hub, buildCompatUserIdHeaders, November 2026
 */
const relatedUserHeaders = ['veloera-user', 'voapi-user', 'rix-api-user', 'neo-api-user']

/** Names of the page size that programs use beside `page_size`. */
const sizeNames = ['ps', 'size']

/**
 * Reads in which of two forms a caller wants a list: the call's own, or the pages from 1 of newer programs, where the call counts from
 * 0. A query that the console can send always has the call's own form.
 */
export function listFormOf(call: Call, sent: Query, headers: Headers, byProgram: boolean): ListForm {
  const { zeroBased } = call
  const query = withPageSize(call, sent)
  if (zeroBased === undefined) return { query, write: (result) => result }
  const sender = { byProgram, isRelated: relatedUserHeaders.some((name) => headers.has(name)) }
  if (!asksForNewer(zeroBased, query, sender)) return { query, write: (result) => result }
  const page = Math.max(1, Math.trunc(Number(query['p'] ?? 1)) || 1)
  const size = query['page_size']
  return {
    query: { ...query, p: String(page - 1), ...(size !== undefined && { [zeroBased.size]: size }) },
    write: (result, read) =>
      pageOf(result, page, (read as Readonly<Record<string, unknown>>)[zeroBased.size]),
  }
}

interface Sender {
  /** The caller has an access token. */
  readonly byProgram: boolean
  readonly isRelated: boolean
}

function asksForNewer(
  { size, marks }: ZeroBasedList,
  query: Query,
  { byProgram, isRelated }: Sender,
): boolean {
  if (marks.some((mark) => query[mark] !== undefined)) return false
  const hasSize = query['page_size'] !== undefined
  if (size !== 'page_size') return hasSize
  return byProgram && (isRelated || (hasSize && Number(query['p']) >= 1))
}

function pageOf(result: unknown, page: number, size: unknown) {
  const { data: items, extra } = result as {
    readonly data: readonly unknown[]
    readonly extra: { readonly total: number }
  }
  const data = { items, total: extra.total, page, page_size: typeof size === 'number' ? size : items.length }
  return { data, extra }
}

/** The query with `page_size`, where the caller has another name for it that is not the call's own. */
function withPageSize(call: Call, query: Query): Query {
  if (query['page_size'] !== undefined || !hasPages(call)) return query
  const names = sizeNames.filter((name) => name !== call.zeroBased?.size)
  const size = names.map((name) => query[name]).find((value) => value !== undefined)
  return size === undefined ? query : { ...query, page_size: size }
}

function hasPages({ query: schema, zeroBased }: Call): boolean {
  return zeroBased !== undefined || (schema instanceof z.ZodObject && 'page_size' in schema.shape)
}
