import { describe, expect, it } from 'bun:test'
import type { Call } from './index.ts'
import { type SpecifiedCall, specifiedCalls } from './specified-calls.ts'
import { callOf, unreadNames } from './test-support/call-of.ts'

type Row = SpecifiedCall
const rows = specifiedCalls()

/** The path with values for its variables, as in a request. */
function callFor({ method, path }: Row): Call | undefined {
  return callOf(method, path.replace(/\{\w+\}/g, '1'))?.call
}

const name = ({ method, path }: Row) => `${method} ${path}`

describe('every call of the specification', () => {
  it('is read from the tables', () => {
    expect(rows).toHaveLength(96)
    expect(new Set(rows.map(name)).size).toBe(rows.length)
  })

  it('is in the contract', () => {
    expect(rows.filter((row) => callFor(row) === undefined).map(name)).toEqual([])
  })

  it('is open to the callers that the specification names', () => {
    const wrong = rows.flatMap((row) => {
      const access = callFor(row)?.access
      const isRight = access === undefined || access === row.access
      return isRight ? [] : [`${name(row)}: ${access} instead of ${row.access}`]
    })
    expect(wrong).toEqual([])
  })

  it('reads every field that the specification sends', () => {
    const unread = rows.flatMap((row) => {
      const call = callFor(row)
      if (call === undefined) return []
      const fields = [...unreadNames(call.query, row.query), ...unreadNames(call.body, row.body)]
      return fields.map((field) => `${name(row)}: ${field}`)
    })
    expect(unread).toEqual([])
  })
})
