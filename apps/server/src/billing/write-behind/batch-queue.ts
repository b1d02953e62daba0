import type { SettlementBatch } from '../../store/settlement.ts'
import { bufferOver, entryEndAt } from '../../store/settlement.ts'

/** Some hundreds of calls: few enough that one batch is read, or written into the database, in a few milliseconds. */
const batchBytes = 256 * 1024

interface CountedBatch {
  readonly count: number
  readonly batch: SettlementBatch
}

/** Encoded settlements that wait, first in first out, in batches of bytes. */
export class BatchQueue {
  /** Behind them comes what is in the buffer. */
  #batches: CountedBatch[] = []
  readonly #buffer = Buffer.allocUnsafe(batchBytes)
  #end = 0
  #countInBuffer = 0
  #length = 0

  /** Settlements that wait. */
  get length(): number {
    return this.#length
  }

  /** Copies the entry that stands in `bytes` from `start` to `end`. */
  add(bytes: Buffer, start: number, end: number): void {
    if (this.#end + end - start > batchBytes) this.#closeBatch()
    this.#end += bytes.copy(this.#buffer, this.#end, start, end)
    this.#countInBuffer += 1
    this.#length += 1
  }

  /** Batches of the first `count` settlements, or of all when they are fewer. */
  first(count: number): SettlementBatch[] {
    this.#closeBatch()
    const batches: SettlementBatch[] = []
    let left = count
    for (const { count: size, batch } of this.#batches) {
      if (left <= 0) break
      batches.push(size <= left ? batch : splitBatch(batch, left)[0])
      left -= size
    }
    return batches
  }

  /** Lets the first `count` go. */
  drop(count: number): void {
    this.#closeBatch()
    let left = Math.min(count, this.#length)
    this.#length -= left
    while (left > 0) {
      const first = this.#batches.shift()
      if (first === undefined) return
      if (first.count > left)
        this.#batches.unshift({ count: first.count - left, batch: splitBatch(first.batch, left)[1] })
      left -= first.count
    }
  }

  clear(): void {
    this.drop(this.#length)
  }

  #closeBatch(): void {
    if (this.#countInBuffer === 0) return
    const batch = Uint8Array.prototype.slice.call(this.#buffer, 0, this.#end)
    this.#batches.push({ count: this.#countInBuffer, batch })
    this.#end = 0
    this.#countInBuffer = 0
  }
}

/** Splits a batch into the first `count` settlements and the others. Nothing is copied. */
function splitBatch(batch: SettlementBatch, count: number): [SettlementBatch, SettlementBatch] {
  const bytes = bufferOver(batch)
  let end = 0
  for (let left = count; left > 0; left -= 1) end = entryEndAt(bytes, end)
  return [batch.subarray(0, end), batch.subarray(end)]
}
