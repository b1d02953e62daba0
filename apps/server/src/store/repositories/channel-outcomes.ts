import type { ChannelOutcomeRepository } from '../channel-repository.ts'
import type { Connection } from '../database.ts'
import type { ChannelOutcome } from '../entities.ts'
import { storableText } from '../text.ts'
import { type Fields, integer, json, readEntity, text } from './fields.ts'

const fields: Fields<ChannelOutcome> = {
  channelId: integer('id'),
  lastSuccessAt: integer('last_success_at'),
  lastFailureAt: integer('last_failure_at'),
  failureCode: text('failure_code'),
  failureParams: json('failure_params'),
}

const columns = {
  id: 'integer',
  last_success_at: 'integer',
  last_failure_at: 'integer',
  failure_code: 'text',
  failure_params: 'text',
} as const

const replace = `on conflict (id) do update set ${Object.keys(columns)
  .filter((name) => name !== 'id')
  .map((name) => `${name} = excluded.${name}`)
  .join(', ')}`

export function createChannelOutcomeRepository({ db, dialect, batch }: Connection): ChannelOutcomeRepository {
  return {
    async listAll() {
      const rows = await db.selectFrom('channel_outcomes').selectAll().orderBy('id').execute()
      return rows.map((row) => readEntity(fields, row))
    },
    async save(outcomes) {
      if (outcomes.length === 0) return
      const rows = outcomes.map((outcome) => [
        outcome.channelId,
        outcome.lastSuccessAt,
        outcome.lastFailureAt,
        outcome.failureCode,
        storableText(JSON.stringify(outcome.failureParams)),
      ])
      await batch([dialect.insertRows('channel_outcomes', columns, rows, replace)])
    },
  }
}
