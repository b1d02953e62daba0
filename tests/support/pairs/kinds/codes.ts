import { casesOf, type Kind } from '../kind.ts'
import { addPerson, literal, type Sent } from '../world.ts'

interface Code {
  readonly id: number
  readonly key: string
  readonly people: readonly Sent['by'][]
}

/** A redemption code, and two people who want it. */
export const codes: Kind<Code> = {
  rows: 'redemptions',
  async create(world) {
    const name = world.fresh('code')
    const made = await world.roots[0]?.api<string[]>('POST', '/api/redemption/', { name, quota: 100 })
    const [found] = await world.rows.select(`select id from redemptions where name = ${literal(name)}`)
    const people = [await addPerson(world), await addPerson(world)].map(({ headers }) => headers)
    return { id: Number(found?.['id']), key: made?.[0] ?? '', people }
  },
  async read({ rows }, { id, people }) {
    const found = await rows.select(
      `select name, status, quota, used_user_id, deleted_at from redemptions where id = ${id}`,
    )
    const credited = await rows.select(
      `select account_id, amount from ledger_entries where cause = 'redemption' and note = '${id}'`,
    )
    const who = (user: unknown) => people.findIndex((by) => by?.['new-api-user'] === String(user))
    const compared = found.map(({ name, used_user_id, deleted_at, ...code }) => ({
      ...code,
      isRenamed: name === 'renamed',
      usedBy: who(used_user_id),
      isDeleted: deleted_at !== null,
    }))
    return JSON.stringify([
      compared,
      credited.map(({ account_id, amount }) => [who(account_id), Number(amount)]),
    ])
  },
  cases: [
    ...casesOf<Code>('redemptions.update', {
      'another name': ({ id }) => ({ body: { id, name: 'renamed' } }),
      'another quota': ({ id }) => ({ body: { id, quota: 700 } }),
      disable: ({ id }) => ({ query: '?status_only=true', body: { id, status: 2 } }),
      enable: ({ id }) => ({ query: '?status_only=true', body: { id, status: 1 } }),
    }),
    ...casesOf<Code>('redemptions.bulk', {
      disable: ({ id }) => ({ body: { ids: [id], action: 'disable' } }),
      delete: ({ id }) => ({ body: { ids: [id], action: 'delete' } }),
    }),
    ...casesOf<Code>('redemptions.delete', { delete: ({ id }) => ({ params: { id } }) }),
    ...casesOf<Code>('wallet.redeem', {
      'redeem it': ({ key, people }) => redeemed(key, people[0]),
      'redeem it too': ({ key, people }) => redeemed(key, people[1]),
    }),
  ],
}

const redeemed = (key: string, by: Sent['by']): Sent => ({ body: { key }, ...(by && { by }) })
