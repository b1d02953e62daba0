import type { Connection } from '../database.ts'
import type { SetupRepository } from '../store.ts'

export function createSetupRepository({ db }: Connection): SetupRepository {
  return {
    async isDone() {
      return (await db.selectFrom('setups').select('id').executeTakeFirst()) !== undefined
    },
    async markDone(version, at) {
      const won = await db
        .insertInto('setups')
        .values({ id: 1, version, initialized_at: at })
        .onConflict((done) => done.doNothing())
        .returning('id')
        .executeTakeFirst()
      return won !== undefined
    },
  }
}
