import type { Logger } from '../../lib/logger.ts'
import type { LogRow } from '../../store/log/index/log-row.ts'
import type { UsageExportRepository } from '../../store/log/usage-exports.ts'
import { type Destination, RefusedBatchError, type UsageBatch } from './destination.ts'
import type { UsageRecord } from './usage-record.ts'

interface Dependencies {
  readonly exports: Omit<UsageExportRepository, 'forget'>
  readonly recordOf: (row: LogRow) => UsageRecord
  /** Beginning for a destination that got nothing yet. */
  readonly from: 'now' | 'start'
  readonly logger: Pick<Logger, 'warn' | 'error'>
}

/** Progress of a destination, as this node knows it. */
export interface ExportState {
  readonly destination: string
  /** Rows of the log, at most, that the destination lacks. */
  readonly behind: number
  /** Runs that failed since the start. */
  readonly failures: number
  /** Records that the destination refused and that were left out. */
  readonly refused: number
}

const maxPausesMs = 300_000

/** Rows that are read and made records of at once: other work of the event loop goes on between them. */
const rowsAtOnce = 250

/**
 * Sends the log to a destination, batch by batch, from where it stopped. Its position moves once a batch has arrived: a record
 * can arrive twice, with the same id, and none is missing. A destination that fails is left alone, longer each time.
 */
export class UsageExport {
  readonly #destination: Destination
  readonly #deps: Dependencies
  #behind = 0
  #failures = 0
  #refused = 0
  #inARow = 0
  #notBeforeMs = 0

  constructor(destination: Destination, deps: Dependencies) {
    this.#destination = destination
    this.#deps = deps
  }

  get state(): ExportState {
    const { name: destination } = this.#destination
    return { destination, behind: this.#behind, failures: this.#failures, refused: this.#refused }
  }

  /** Sends what there is. Never rejects: a failure is logged, and tried again later. */
  async run(signal: AbortSignal, nowMs = performance.now()): Promise<void> {
    if (nowMs < this.#notBeforeMs) return
    try {
      await this.#catchUp(signal)
      this.#inARow = 0
    } catch (err) {
      if (signal.aborted) return
      this.#failures += 1
      const pauseMs = Math.min(maxPausesMs, this.#destination.everyMs * 2 ** this.#inARow)
      this.#inARow += 1
      this.#notBeforeMs = nowMs + pauseMs
      const { name: destination } = this.#destination
      this.#deps.logger.warn(
        { err, destination, pauseMs },
        'usage cannot be exported and is sent again after a pause: check the destination',
      )
    }
  }

  async #catchUp(signal: AbortSignal): Promise<void> {
    const { exports } = this.#deps
    const upTo = await exports.settledId()
    for (let at = await this.#begin(upTo); at < upTo; ) {
      signal.throwIfAborted()
      this.#behind = upTo - at
      const records = await this.#recordsAfter(at, upTo)
      if (records.length > 0) await this.#send({ after: at, records }, signal)
      // Behind the last row of a full batch there may be more; behind others there is nothing of calls.
      const to = records.length === this.#destination.maxRecords ? (records.at(-1)?.id ?? upTo) : upTo
      // Another node has the job meanwhile.
      if (!(await exports.advance(this.#destination.name, at, to))) return
      at = to
    }
    this.#behind = 0
  }

  async #recordsAfter(after: number, upTo: number): Promise<readonly UsageRecord[]> {
    const { maxRecords } = this.#destination
    const records: UsageRecord[] = []
    for (let at = after; records.length < maxRecords; at = records.at(-1)?.id ?? upTo) {
      const size = Math.min(rowsAtOnce, maxRecords - records.length)
      const rows = await this.#deps.exports.callsAfter(at, upTo, size)
      records.push(...rows.map(this.#deps.recordOf))
      if (rows.length < size) break
    }
    return records
  }

  async #begin(upTo: number): Promise<number> {
    const { exports, from } = this.#deps
    const { name } = this.#destination
    const position = await exports.position(name)
    if (position !== undefined) return position
    await exports.start(name, from === 'start' ? 0 : upTo)
    return (await exports.position(name)) ?? upTo
  }

  /** Halves a batch that is refused, so that one record which the destination cannot take stops no other. */
  async #send(batch: UsageBatch, signal: AbortSignal): Promise<void> {
    try {
      await this.#destination.send(batch, signal)
    } catch (error) {
      if (!(error instanceof RefusedBatchError)) throw error
      await this.#sendHalves(batch, error, signal)
    }
  }

  async #sendHalves({ after, records }: UsageBatch, err: Error, signal: AbortSignal): Promise<void> {
    const [only, ...others] = records
    if (only === undefined) return
    if (others.length === 0) {
      this.#refused += 1
      const { name: destination } = this.#destination
      this.#deps.logger.error(
        { err, destination, id: only.id },
        'the destination refuses this usage record, and it is left out of the export: look it up in the usage log by its id',
      )
      return
    }
    const half = records.length >> 1
    const first = records.slice(0, half)
    await this.#send({ after, records: first }, signal)
    await this.#send({ after: first.at(-1)?.id ?? after, records: records.slice(half) }, signal)
  }
}
