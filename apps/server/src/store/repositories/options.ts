import type { Connection } from '../database.ts'
import type { OptionRepository } from '../store.ts'
import { storableText } from '../text.ts'

export function createOptionRepository({ db }: Connection): OptionRepository {
  return {
    listAll: () => db.selectFrom('options').selectAll().orderBy('key').execute(),
    async set(key, value) {
      const stored = storableText(value)
      await db
        .insertInto('options')
        .values({ key: storableText(key), value: stored })
        .onConflict((taken) => taken.column('key').doUpdateSet({ value: stored }))
        .execute()
    },
  }
}
