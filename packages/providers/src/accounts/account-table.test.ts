import { describe, expect, it } from 'bun:test'
import { isOperatorMatter, publicMessage, type UpstreamErrorKind } from '@tollgate/formats'
import { providers } from '../registry.ts'
import type { AccountRefusals } from './account-refusal.ts'
import { accountOf, accountTable } from './account-table.ts'

/** Kinds that a refusal may be of; an allowance that returns by itself is out of credit for a while. */
const kinds: Readonly<Record<keyof AccountRefusals, readonly UpstreamErrorKind[]>> = {
  outOfCredit: ['quota', 'account_limited'],
  suspended: ['suspended'],
  keyRefused: ['unauthorized'],
}
const columns = Object.keys(kinds) as readonly (keyof AccountRefusals)[] // Its keys are the columns.

const known = providers.flatMap((provider) =>
  columns.flatMap((column) => {
    const cell = accountOf(provider.id)[column]
    return typeof cell === 'string' ? [] : [{ name: `${provider.id} ${column}`, provider, column, cell }]
  }),
)

describe('refusals that concern an account', () => {
  it('are those of a provider of the table', () => {
    const ids = new Set(providers.map(({ id }) => id))
    expect(Object.keys(accountTable).filter((id) => !ids.has(id))).toEqual([])
    expect(known.length).toBeGreaterThan(60)
  })

  it.each(known.map((each) => [each.name, each] as const))('are read as what they are: %s', (_, each) => {
    const { status, body, headers = {} } = each.cell.value
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const error = each.provider.decodeError({ status, headers, body: text })
    expect(kinds[each.column]).toContain(error.kind)
    expect(isOperatorMatter(error.kind)).toBe(true)
    expect(publicMessage(error)).not.toContain(error.message)
  })

  it('have a page each', () => {
    for (const { cell } of known) expect(cell.source).toStartWith('https://')
  })
})
