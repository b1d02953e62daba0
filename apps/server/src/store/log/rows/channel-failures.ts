import type { SqlTexts } from '../../dialects/sql-dialect.ts'
import type { BatchStatement } from '../../program.ts'
import type { Seconds } from '../../units.ts'
import { hourOf } from './charge-sums.ts'

interface Failure {
  readonly createdAt: Seconds
  readonly channelId: number
}

/** Failed calls by the hour and the channel that was tried last (0 without one). */
export class ChannelFailures {
  readonly #byHour = new Map<Seconds, Map<number, number>>()

  add({ createdAt, channelId }: Failure): void {
    const hour = hourOf(createdAt)
    const byChannel = this.#byHour.get(hour) ?? new Map<number, number>()
    byChannel.set(channelId, (byChannel.get(channelId) ?? 0) + 1)
    this.#byHour.set(hour, byChannel)
  }

  /** Writes nothing without failures. */
  statements(dialect: SqlTexts): BatchStatement[] {
    if (this.#byHour.size === 0) return []
    const rows = Array.from(this.#byHour, ([hour, byChannel]) =>
      Array.from(byChannel, ([channel, count]) => [hour, channel, count]),
    ).flat()
    const added = dialect.insertRows(
      'failures_by_channel',
      { hour: 'integer', channel_id: 'integer', count: 'integer' },
      rows,
      'on conflict (hour, channel_id) do update set count = failures_by_channel.count + excluded.count',
    )
    return [added]
  }
}
