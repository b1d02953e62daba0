import { casesOf, type Kind } from '../kind.ts'
import { literal } from '../world.ts'

interface Token {
  readonly id: number
}

/** A key of root. */
export const tokens: Kind<Token> = {
  rows: 'tokens',
  async create({ roots: [root], fresh }) {
    const made = { name: fresh('key'), remain_quota: 1000, unlimited_quota: false }
    return { id: (await root?.addKey(made))?.id ?? 0 }
  },
  async read({ rows }, { id }) {
    const found = await rows.select(
      `select status, model_limits, "group", deleted_at, remain_quota, name, frozen_at, status_before_freeze
        from tokens join token_accounts using (id) where id = ${literal(id)}`,
    )
    return JSON.stringify(
      found.map(({ deleted_at, frozen_at, name, ...key }) => ({
        ...key,
        isFrozen: frozen_at !== null,
        isRenamed: name === 'renamed',
        isDeleted: deleted_at !== null,
      })),
    )
  },
  cases: [
    ...casesOf<Token>('tokens.update', {
      'another name': ({ id }) => ({ body: { id, name: 'renamed' } }),
      'quota 5': ({ id }) => ({ body: { id, remain_quota: 5 } }),
      'models, and quota 7': ({ id }) => ({ body: { id, model_limits: 'one', remain_quota: 7 } }),
      disable: ({ id }) => ({ query: '?status_only=true', body: { id, status: 2 } }),
    }),
    ...casesOf<Token>('tokens.batch', {
      enable: ({ id }) => ({ body: { ids: [id], action: 'enable' } }),
      delete: ({ id }) => ({ body: { ids: [id], action: 'delete' } }),
    }),
    ...casesOf<Token>('keys.freeze', { freeze: ({ id }) => ({ params: { id }, body: { note: 'leaked' } }) }),
    ...casesOf<Token>('keys.unfreeze', { unfreeze: ({ id }) => ({ params: { id } }) }),
    ...casesOf<Token>('tokens.rotate', {
      rotate: ({ id }) => ({ params: { id }, body: { overlap_seconds: 0 } }),
    }),
    ...casesOf<Token>('tokens.delete', { delete: ({ id }) => ({ params: { id } }) }),
  ],
}
